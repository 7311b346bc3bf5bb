use actix_web::error::ErrorInternalServerError;
use actix_web::rt::time::sleep;
use actix_web::{Responder, Result, get, post, web};
use serde::{Deserialize, Serialize};
use shared::work::{self, Processing, greeting, hash_password};

#[derive(Deserialize, Serialize)]
struct Payload {
    payload: String,
}

#[derive(Deserialize)]
struct Message {
    message: String,
}

#[derive(Serialize)]
struct Handled {
    message: String,
    note: String,
}

#[post("/simple")]
async fn simple(body: web::Json<Payload>) -> impl Responder {
    web::Json(Payload {
        payload: greeting(&body.payload),
    })
}

#[post("/timed")]
async fn timed(body: web::Json<Payload>) -> impl Responder {
    sleep(work::TIMED).await;
    web::Json(Payload {
        payload: greeting(&body.payload),
    })
}

#[post("/bcrypt")]
async fn bcrypt(body: web::Json<Payload>) -> Result<impl Responder> {
    let payload = web::block(move || hash_password(&body.payload))
        .await?
        .map_err(ErrorInternalServerError)?;
    Ok(web::Json(Payload { payload }))
}

#[get("/status")]
async fn status() -> &'static str {
    "OK"
}

#[get("/labels/{label}")]
async fn label(label: web::Path<String>) -> String {
    label.into_inner()
}

#[post("")]
async fn queue(body: web::Json<Message>, processing: web::Data<Processing>) -> impl Responder {
    let Message { message } = body.into_inner();
    let note = processing.handle().await;
    web::Json(Handled { message, note })
}

pub fn configure(config: &mut web::ServiceConfig) {
    config.service(
        web::scope("/test")
            .service(queue)
            .service(simple)
            .service(timed)
            .service(bcrypt)
            .service(status)
            .service(label),
    );
}
