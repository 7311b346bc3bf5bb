use actix_web::{HttpResponse, Responder, Result, get, post, put, web};
use shared::Source;
use shared::models::{Board, Task, TaskIn, User};

#[get("/api/v1/userinfo/typed/{user_id}")]
async fn userinfo(user_id: web::Path<u32>, source: web::Data<Source>) -> Result<impl Responder> {
    let row = source.user().await;
    let user = User::from_row(&row, *user_id)?;
    Ok(web::Json(user))
}

#[get("/api/v1/sprint/typed/{sprint_id}")]
async fn sprint(sprint_id: web::Path<u32>, source: web::Data<Source>) -> Result<impl Responder> {
    let row = source.sprint().await;
    let board = Board::from_row(&row, *sprint_id)?;
    Ok(web::Json(board))
}

#[post("/api/v1/board/typed/{board_id}/task")]
async fn create_task(
    board_id: web::Path<u32>,
    body: web::Json<TaskIn>,
    source: web::Data<Source>,
) -> Result<impl Responder> {
    let row = source.task().await;
    let task = Task::from_row(&row, *board_id, body.into_inner())?;
    Ok(HttpResponse::Created().json(task))
}

#[put("/api/v1/board/typed/{board_id}/task")]
async fn update_task(
    _board_id: web::Path<u32>,
    body: web::Json<TaskIn>,
    source: web::Data<Source>,
) -> impl Responder {
    source.save_task(body.into_inner()).await;
    HttpResponse::NoContent()
}

pub fn configure(config: &mut web::ServiceConfig) {
    config
        .service(userinfo)
        .service(sprint)
        .service(create_task)
        .service(update_task);
}
