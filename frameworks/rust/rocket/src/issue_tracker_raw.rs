use rocket::http::Status;
use rocket::response::status::NoContent;
use rocket::serde::json::{Json, Value};
use rocket::{Route, State, get, post, put, routes};
use shared::rows::{MissingField, PlainRow, task_of};
use shared::{Lent, Source};

#[get("/userinfo/raw/<user_id>")]
async fn userinfo(user_id: u32, source: &State<Source>) -> Json<Lent<PlainRow>> {
    let mut user = source.plain_user().await;
    let sub = format!("{}-{user_id}", user["sub"].as_str().unwrap_or_default());
    user["sub"] = Value::from(sub);
    Json(user)
}

#[get("/sprint/raw/<sprint_id>")]
async fn sprint(sprint_id: u32, source: &State<Source>) -> Json<Lent<PlainRow>> {
    let mut board = source.plain_sprint().await;
    board["sprint"]["id"] = Value::from(sprint_id);
    Json(board)
}

#[post("/board/raw/<board_id>/task", data = "<body>")]
async fn create_task(
    board_id: u32,
    body: Json<PlainRow>,
    source: &State<Source>,
) -> Result<(Status, Json<Lent<PlainRow>>), (Status, String)> {
    let sent = task_of(body.into_inner()).map_err(bad_request)?;
    let mut task = source.plain_task().await;
    task.extend(sent);
    task.insert("board".to_owned(), Value::from(board_id));
    Ok((Status::Created, Json(task)))
}

#[put("/board/raw/<_board_id>/task", data = "<body>")]
async fn update_task(
    _board_id: u32,
    body: Json<PlainRow>,
    source: &State<Source>,
) -> Result<NoContent, (Status, String)> {
    let sent = task_of(body.into_inner()).map_err(bad_request)?;
    source.save_task(sent).await;
    Ok(NoContent)
}

fn bad_request(missing: MissingField) -> (Status, String) {
    (Status::BadRequest, missing.to_string())
}

pub fn routes() -> Vec<Route> {
    routes![userinfo, sprint, create_task, update_task]
}
