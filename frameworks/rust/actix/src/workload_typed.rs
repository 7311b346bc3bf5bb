use actix_web::rt::time::sleep;
use actix_web::{Responder, post, web};
use serde::{Deserialize, Serialize};
use shared::work::{self, greeting};

#[derive(Deserialize, Serialize)]
struct Payload {
    payload: String,
}

#[post("/test/simple/typed")]
async fn simple(body: web::Json<Payload>) -> impl Responder {
    web::Json(Payload {
        payload: greeting(&body.payload),
    })
}

#[post("/test/timed/typed")]
async fn timed(body: web::Json<Payload>) -> impl Responder {
    sleep(work::TIMED).await;
    web::Json(Payload {
        payload: greeting(&body.payload),
    })
}

pub fn configure(config: &mut web::ServiceConfig) {
    config.service(simple).service(timed);
}
