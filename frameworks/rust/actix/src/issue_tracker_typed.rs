use actix_web::{HttpResponse, Responder, get, post, put, web};
use shared::Source;
use shared::models::TaskIn;

#[get("/api/v1/userinfo/typed/{user_id}")]
async fn userinfo(user_id: web::Path<u32>, source: web::Data<Source>) -> impl Responder {
    let mut user = source.typed_user().await;
    user.sub = format!("{}-{user_id}", user.sub);
    web::Json(user)
}

#[get("/api/v1/sprint/typed/{sprint_id}")]
async fn sprint(sprint_id: web::Path<u32>, source: web::Data<Source>) -> impl Responder {
    let mut board = source.typed_sprint().await;
    board.sprint.id = *sprint_id;
    web::Json(board)
}

#[post("/api/v1/board/typed/{board_id}/task")]
async fn create_task(
    board_id: web::Path<u32>,
    body: web::Json<TaskIn>,
    source: web::Data<Source>,
) -> impl Responder {
    let mut task = source.typed_task().await;
    task.board = *board_id;
    task.sent = body.into_inner();
    HttpResponse::Created().json(task)
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
