use std::sync::Arc;

use poem::http::StatusCode;
use poem::web::{Data, Json, Path};
use poem::{Route, get, handler, post};
use shared::models::{Board, Task, TaskIn, User};
use shared::{Lent, Source};

#[handler]
async fn userinfo(Path(user_id): Path<u32>, Data(source): Data<&Arc<Source>>) -> Json<Lent<User>> {
    let mut user = source.typed_user().await;
    user.sub = format!("{}-{user_id}", user.sub);
    Json(user)
}

#[handler]
async fn sprint(Path(sprint_id): Path<u32>, Data(source): Data<&Arc<Source>>) -> Json<Lent<Board>> {
    let mut board = source.typed_sprint().await;
    board.sprint.id = sprint_id;
    Json(board)
}

#[handler]
async fn create_task(
    Path(board_id): Path<u32>,
    Data(source): Data<&Arc<Source>>,
    Json(body): Json<TaskIn>,
) -> (StatusCode, Json<Lent<Task>>) {
    let mut task = source.typed_task().await;
    task.board = board_id;
    task.sent = body;
    (StatusCode::CREATED, Json(task))
}

#[handler]
async fn update_task(
    Path(_board_id): Path<u32>,
    Data(source): Data<&Arc<Source>>,
    Json(body): Json<TaskIn>,
) -> StatusCode {
    source.save_task(body).await;
    StatusCode::NO_CONTENT
}

pub fn add(route: Route) -> Route {
    route
        .at("/api/v1/userinfo/typed/:user_id", get(userinfo))
        .at("/api/v1/sprint/typed/:sprint_id", get(sprint))
        .at(
            "/api/v1/board/typed/:board_id/task",
            post(create_task).put(update_task),
        )
}
