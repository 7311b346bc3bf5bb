use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use shared::Source;
use shared::models::{Board, Task, TaskIn, User};

use crate::AppState;
use crate::error::InternalError;

async fn userinfo(
    Path(user_id): Path<u32>,
    State(source): State<Arc<Source>>,
) -> Result<Json<User>, InternalError> {
    let row = source.user().await;
    let user = User::from_row(&row, user_id)?;
    Ok(Json(user))
}

async fn sprint(
    Path(sprint_id): Path<u32>,
    State(source): State<Arc<Source>>,
) -> Result<Json<Board>, InternalError> {
    let row = source.sprint().await;
    let board = Board::from_row(&row, sprint_id)?;
    Ok(Json(board))
}

async fn create_task(
    Path(board_id): Path<u32>,
    State(source): State<Arc<Source>>,
    Json(body): Json<TaskIn>,
) -> Result<(StatusCode, Json<Task>), InternalError> {
    let row = source.task().await;
    let task = Task::from_row(&row, board_id, body)?;
    Ok((StatusCode::CREATED, Json(task)))
}

async fn update_task(
    Path(_board_id): Path<u32>,
    State(source): State<Arc<Source>>,
    Json(body): Json<TaskIn>,
) -> StatusCode {
    source.save_task(body).await;
    StatusCode::NO_CONTENT
}

pub fn router() -> Router<AppState> {
    Router::new()
        .route("/api/v1/userinfo/typed/{user_id}", get(userinfo))
        .route("/api/v1/sprint/typed/{sprint_id}", get(sprint))
        .route(
            "/api/v1/board/typed/{board_id}/task",
            post(create_task).put(update_task),
        )
}
