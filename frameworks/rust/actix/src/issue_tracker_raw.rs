use actix_web::error::ErrorBadRequest;
use actix_web::{HttpResponse, Responder, Result, get, post, put, web};
use serde_json::Value;
use shared::Source;
use shared::rows::{Row, task_of, with};

#[get("/api/v1/userinfo/raw/{user_id}")]
async fn userinfo(user_id: web::Path<u32>, source: web::Data<Source>) -> impl Responder {
    let user = source.user().await;
    let sub = format!("{}-{user_id}", user["sub"].as_str().unwrap_or_default());
    web::Json(with(user, [("sub", Value::from(sub))]))
}

#[get("/api/v1/sprint/raw/{sprint_id}")]
async fn sprint(sprint_id: web::Path<u32>, source: web::Data<Source>) -> impl Responder {
    let board = source.sprint().await;
    let mut sprint = board["sprint"].clone();
    sprint["id"] = Value::from(*sprint_id);
    web::Json(with(board, [("sprint", sprint)]))
}

#[post("/api/v1/board/raw/{board_id}/task")]
async fn create_task(
    board_id: web::Path<u32>,
    body: web::Json<Row>,
    source: web::Data<Source>,
) -> Result<impl Responder> {
    let mut own = task_of(body.into_inner()).map_err(ErrorBadRequest)?;
    own.push(("board", Value::from(*board_id)));
    let task = with(source.task().await, own);
    Ok(HttpResponse::Created().json(task))
}

#[put("/api/v1/board/raw/{board_id}/task")]
async fn update_task(
    _board_id: web::Path<u32>,
    body: web::Json<Row>,
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
