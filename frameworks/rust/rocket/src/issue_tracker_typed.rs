use rocket::http::Status;
use rocket::response::status::NoContent;
use rocket::serde::json::Json;
use rocket::{Route, State, get, post, put, routes};
use shared::models::{Board, Task, TaskIn, User};
use shared::{Lent, Source};

#[get("/userinfo/typed/<user_id>")]
async fn userinfo(user_id: u32, source: &State<Source>) -> Json<Lent<User>> {
    let mut user = source.typed_user().await;
    user.sub = format!("{}-{user_id}", user.sub);
    Json(user)
}

#[get("/sprint/typed/<sprint_id>")]
async fn sprint(sprint_id: u32, source: &State<Source>) -> Json<Lent<Board>> {
    let mut board = source.typed_sprint().await;
    board.sprint.id = sprint_id;
    Json(board)
}

#[post("/board/typed/<board_id>/task", data = "<body>")]
async fn create_task(
    board_id: u32,
    body: Json<TaskIn>,
    source: &State<Source>,
) -> (Status, Json<Lent<Task>>) {
    let mut task = source.typed_task().await;
    task.board = board_id;
    task.sent = body.into_inner();
    (Status::Created, Json(task))
}

#[put("/board/typed/<_board_id>/task", data = "<body>")]
async fn update_task(_board_id: u32, body: Json<TaskIn>, source: &State<Source>) -> NoContent {
    source.save_task(body.into_inner()).await;
    NoContent
}

pub fn routes() -> Vec<Route> {
    routes![userinfo, sprint, create_task, update_task]
}
