use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::Value;
use shared::Source;
use shared::rows::{Answer, MissingField, Row, task_of, with};

use crate::AppState;

async fn userinfo(Path(user_id): Path<u32>, State(source): State<Arc<Source>>) -> Json<Answer> {
    let user = source.user().await;
    let sub = format!("{}-{user_id}", user["sub"].as_str().unwrap_or_default());
    Json(with(user, [("sub", Value::from(sub))]))
}

async fn sprint(Path(sprint_id): Path<u32>, State(source): State<Arc<Source>>) -> Json<Answer> {
    let board = source.sprint().await;
    let mut sprint = board["sprint"].clone();
    sprint["id"] = Value::from(sprint_id);
    Json(with(board, [("sprint", sprint)]))
}

async fn create_task(
    Path(board_id): Path<u32>,
    State(source): State<Arc<Source>>,
    Json(body): Json<Row>,
) -> Result<(StatusCode, Json<Answer>), (StatusCode, String)> {
    let mut own = task_of(body).map_err(bad_request)?;
    own.push(("board", Value::from(board_id)));
    let task = with(source.task().await, own);
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
