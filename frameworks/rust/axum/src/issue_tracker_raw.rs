use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::Value;
use shared::rows::{MissingField, PlainRow, task_of};
use shared::{Lent, Source};

use crate::AppState;

async fn userinfo(
    Path(user_id): Path<u32>,
    State(source): State<Arc<Source>>,
) -> Json<Lent<PlainRow>> {
    let mut user = source.plain_user().await;
    let sub = format!("{}-{user_id}", user["sub"].as_str().unwrap_or_default());
    user["sub"] = Value::from(sub);
    Json(user)
}

async fn sprint(
    Path(sprint_id): Path<u32>,
    State(source): State<Arc<Source>>,
) -> Json<Lent<PlainRow>> {
    let mut board = source.plain_sprint().await;
    board["sprint"]["id"] = Value::from(sprint_id);
    Json(board)
}

async fn create_task(
    Path(board_id): Path<u32>,
    State(source): State<Arc<Source>>,
    Json(body): Json<PlainRow>,
) -> Result<(StatusCode, Json<Lent<PlainRow>>), (StatusCode, String)> {
    let sent = task_of(body).map_err(bad_request)?;
    let mut task = source.plain_task().await;
    task.extend(sent);
    task.insert("board".to_owned(), Value::from(board_id));
    Ok((StatusCode::CREATED, Json(task)))
}

async fn update_task(
    Path(_board_id): Path<u32>,
    State(source): State<Arc<Source>>,
    Json(body): Json<PlainRow>,
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
