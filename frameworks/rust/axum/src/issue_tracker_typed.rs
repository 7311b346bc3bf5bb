use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use shared::models::{Board, Task, TaskIn, User};
use shared::{Lent, Source};

use crate::AppState;

async fn userinfo(Path(user_id): Path<u32>, State(source): State<Arc<Source>>) -> Json<Lent<User>> {
    let mut user = source.typed_user().await;
    user.sub = format!("{}-{user_id}", user.sub);
    Json(user)
}

async fn sprint(
    Path(sprint_id): Path<u32>,
    State(source): State<Arc<Source>>,
) -> Json<Lent<Board>> {
    let mut board = source.typed_sprint().await;
    board.sprint.id = sprint_id;
    Json(board)
}

async fn create_task(
    Path(board_id): Path<u32>,
    State(source): State<Arc<Source>>,
    Json(body): Json<TaskIn>,
) -> (StatusCode, Json<Lent<Task>>) {
    let mut task = source.typed_task().await;
    task.board = board_id;
    task.sent = body;
    (StatusCode::CREATED, Json(task))
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
