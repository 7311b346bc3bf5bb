use actix_web::error::ErrorBadRequest;
use actix_web::{HttpResponse, Responder, Result, get, post, put, web};
use serde_json::Value;
use shared::Source;
use shared::rows::{PlainRow, task_of};

#[get("/api/v1/userinfo/raw/{user_id}")]
async fn userinfo(user_id: web::Path<u32>, source: web::Data<Source>) -> impl Responder {
    let mut user = source.plain_user().await;
    let sub = format!("{}-{user_id}", user["sub"].as_str().unwrap_or_default());
    user["sub"] = Value::from(sub);
    web::Json(user)
}

#[get("/api/v1/sprint/raw/{sprint_id}")]
async fn sprint(sprint_id: web::Path<u32>, source: web::Data<Source>) -> impl Responder {
    let mut board = source.plain_sprint().await;
    board["sprint"]["id"] = Value::from(*sprint_id);
    web::Json(board)
}

#[post("/api/v1/board/raw/{board_id}/task")]
async fn create_task(
    board_id: web::Path<u32>,
    body: web::Json<PlainRow>,
    source: web::Data<Source>,
) -> Result<impl Responder> {
    let sent = task_of(body.into_inner()).map_err(ErrorBadRequest)?;
    let mut task = source.plain_task().await;
    task.extend(sent);
    task.insert("board".to_owned(), Value::from(*board_id));
    Ok(HttpResponse::Created().json(task))
}

#[put("/api/v1/board/raw/{board_id}/task")]
async fn update_task(
    _board_id: web::Path<u32>,
    body: web::Json<PlainRow>,
    source: web::Data<Source>,
) -> Result<impl Responder> {
    let sent = task_of(body.into_inner()).map_err(ErrorBadRequest)?;
    source.save_task(sent).await;
    Ok(HttpResponse::NoContent())
}

pub fn configure(config: &mut web::ServiceConfig) {
    config
        .service(userinfo)
        .service(sprint)
        .service(create_task)
        .service(update_task);
}
