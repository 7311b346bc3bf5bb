use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::Value;
use shared::Source;
use shared::rows::{MissingField, Row, task_of};

use crate::AppState;

async fn userinfo(Path(user_id): Path<u32>, State(source): State<Arc<Source>>) -> Json<Row> {
    let mut user = source.user().await.clone();
    if let Value::String(sub) = &mut user["sub"] {
        sub.push_str(&format!("-{user_id}"));
    }
    Json(user)
}

async fn sprint(Path(sprint_id): Path<u32>, State(source): State<Arc<Source>>) -> Json<Row> {
    let mut board = source.sprint().await.clone();
    board["sprint"]["id"] = Value::from(sprint_id);
    Json(board)
}

async fn create_task(
    Path(board_id): Path<u32>,
    State(source): State<Arc<Source>>,
    Json(body): Json<Row>,
) -> Result<(StatusCode, Json<Row>), (StatusCode, String)> {
    let sent = task_of(body).map_err(bad_request)?;
    let mut task = source.task().await.clone();
    task.insert("board".to_owned(), Value::from(board_id));
    task.extend(sent);
    Ok((StatusCode::CREATED, Json(task)))
}

async fn update_task(
    Path(_board_id): Path<u32>,
    State(source): State<Arc<Source>>,
    Json(body): Json<Row>,
) -> Result<StatusCode, (StatusCode, String)> {
    let sent = task_of(body).map_err(bad_request)?;
    source.save_task(sent).await;
    Ok(StatusCode::NO_CONTENT)
}

fn bad_request(missing: MissingField) -> (StatusCode, String) {
    (StatusCode::BAD_REQUEST, missing.to_string())
}

pub fn router() -> Router<AppState> {
    Router::new()
        .route("/api/v1/userinfo/raw/{user_id}", get(userinfo))
        .route("/api/v1/sprint/raw/{sprint_id}", get(sprint))
        .route(
            "/api/v1/board/raw/{board_id}/task",
            post(create_task).put(update_task),
        )
}
