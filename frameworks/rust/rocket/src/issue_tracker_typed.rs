use rocket::http::Status;
use rocket::response::Debug;
use rocket::response::status::NoContent;
use rocket::serde::json::{self, Json};
use rocket::{Route, State, get, post, put, routes};
use shared::Source;
use shared::models::{Board, Task, TaskIn, User};

/// Answered with 500 where a row does not fit the types.
type Result<T> = std::result::Result<T, Debug<json::serde_json::Error>>;

#[get("/userinfo/typed/<user_id>")]
async fn userinfo(user_id: u32, source: &State<Source>) -> Result<Json<User>> {
    let row = source.user().await;
    let user = User::from_row(&row, user_id)?;
    Ok(Json(user))
}

#[get("/sprint/typed/<sprint_id>")]
async fn sprint(sprint_id: u32, source: &State<Source>) -> Result<Json<Board>> {
    let row = source.sprint().await;
    let board = Board::from_row(&row, sprint_id)?;
    Ok(Json(board))
}

#[post("/board/typed/<board_id>/task", data = "<body>")]
async fn create_task(
    board_id: u32,
    body: Json<TaskIn>,
    source: &State<Source>,
) -> Result<(Status, Json<Task>)> {
    let row = source.task().await;
    let task = Task::from_row(&row, board_id, body.into_inner())?;
    Ok((Status::Created, Json(task)))
}

#[put("/board/typed/<_board_id>/task", data = "<body>")]
async fn update_task(_board_id: u32, body: Json<TaskIn>, source: &State<Source>) -> NoContent {
    source.save_task(body.into_inner()).await;
    NoContent
}

pub fn routes() -> Vec<Route> {
    routes![userinfo, sprint, create_task, update_task]
}
