use rocket::http::Status;
use rocket::response::status::{BadRequest, NoContent};
use rocket::serde::json::{Json, Value};
use rocket::{Route, State, get, post, put, routes};
use shared::Source;
use shared::rows::{MissingField, Row, task_of};

#[get("/userinfo/raw/<user_id>")]
async fn userinfo(user_id: u32, source: &State<Source>) -> Json<Row> {
    let mut user = source.user().await.clone();
    if let Value::String(sub) = &mut user["sub"] {
        sub.push_str(&format!("-{user_id}"));
    }
    Json(user)
}

#[get("/sprint/raw/<sprint_id>")]
async fn sprint(sprint_id: u32, source: &State<Source>) -> Json<Row> {
    let mut board = source.sprint().await.clone();
    board["sprint"]["id"] = Value::from(sprint_id);
    Json(board)
}

#[post("/board/raw/<board_id>/task", data = "<body>")]
async fn create_task(
    board_id: u32,
    body: Json<Row>,
    source: &State<Source>,
) -> Result<(Status, Json<Row>), BadRequest<String>> {
    let sent = task_of(body.into_inner()).map_err(bad_request)?;
    let mut task = source.task().await.clone();
    task.insert("board".to_owned(), Value::from(board_id));
    task.extend(sent);
    Ok((Status::Created, Json(task)))
}

#[put("/board/raw/<_board_id>/task", data = "<body>")]
async fn update_task(
    _board_id: u32,
    body: Json<Row>,
    source: &State<Source>,
) -> Result<NoContent, BadRequest<String>> {
    let sent = task_of(body.into_inner()).map_err(bad_request)?;
    source.save_task(sent).await;
    Ok(NoContent)
}

fn bad_request(missing: MissingField) -> BadRequest<String> {
    BadRequest(missing.to_string())
}

pub fn routes() -> Vec<Route> {
    routes![userinfo, sprint, create_task, update_task]
}
