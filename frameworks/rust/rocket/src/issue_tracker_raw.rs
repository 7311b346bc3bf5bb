use rocket::http::Status;
use rocket::response::status::{BadRequest, NoContent};
use rocket::serde::json::{Json, Value};
use rocket::{Route, State, get, post, put, routes};
use shared::Source;
use shared::rows::{Answer, MissingField, Row, task_of, with};

#[get("/userinfo/raw/<user_id>")]
async fn userinfo(user_id: u32, source: &State<Source>) -> Json<Answer> {
    let user = source.user().await;
    let sub = format!("{}-{user_id}", user["sub"].as_str().unwrap_or_default());
    Json(with(user, [("sub", Value::from(sub))]))
}

#[get("/sprint/raw/<sprint_id>")]
async fn sprint(sprint_id: u32, source: &State<Source>) -> Json<Answer> {
    let board = source.sprint().await;
    let mut sprint = board["sprint"].clone();
    sprint["id"] = Value::from(sprint_id);
    Json(with(board, [("sprint", sprint)]))
}

#[post("/board/raw/<board_id>/task", data = "<body>")]
async fn create_task(
    board_id: u32,
    body: Json<Row>,
    source: &State<Source>,
) -> Result<(Status, Json<Answer>), BadRequest<String>> {
    let mut own = task_of(body.into_inner()).map_err(bad_request)?;
    own.push(("board", Value::from(board_id)));
    let task = with(source.task().await, own);
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
