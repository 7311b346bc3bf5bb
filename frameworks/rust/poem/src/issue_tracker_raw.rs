use std::sync::Arc;

use poem::error::BadRequest;
use poem::http::StatusCode;
use poem::web::{Data, Json, Path};
use poem::{Result, Route, get, handler, post};
use serde_json::Value;
use shared::rows::{PlainRow, task_of};
use shared::{Lent, Source};

#[handler]
async fn userinfo(
    Path(user_id): Path<u32>,
    Data(source): Data<&Arc<Source>>,
) -> Json<Lent<PlainRow>> {
    let mut user = source.plain_user().await;
    let sub = format!("{}-{user_id}", user["sub"].as_str().unwrap_or_default());
    user["sub"] = Value::from(sub);
    Json(user)
}

#[handler]
async fn sprint(
    Path(sprint_id): Path<u32>,
    Data(source): Data<&Arc<Source>>,
) -> Json<Lent<PlainRow>> {
    let mut board = source.plain_sprint().await;
    board["sprint"]["id"] = Value::from(sprint_id);
    Json(board)
}

#[handler]
async fn create_task(
    Path(board_id): Path<u32>,
    Data(source): Data<&Arc<Source>>,
    Json(body): Json<PlainRow>,
) -> Result<(StatusCode, Json<Lent<PlainRow>>)> {
    let sent = task_of(body).map_err(BadRequest)?;
    let mut task = source.plain_task().await;
    task.extend(sent);
    task.insert("board".to_owned(), Value::from(board_id));
    Ok((StatusCode::CREATED, Json(task)))
}

#[handler]
async fn update_task(
    Path(_board_id): Path<u32>,
    Data(source): Data<&Arc<Source>>,
    Json(body): Json<PlainRow>,
) -> Result<StatusCode> {
    let sent = task_of(body).map_err(BadRequest)?;
    source.save_task(sent).await;
    Ok(StatusCode::NO_CONTENT)
}

pub fn add(route: Route) -> Route {
    route
        .at("/api/v1/userinfo/raw/:user_id", get(userinfo))
        .at("/api/v1/sprint/raw/:sprint_id", get(sprint))
        .at(
            "/api/v1/board/raw/:board_id/task",
            post(create_task).put(update_task),
        )
}
