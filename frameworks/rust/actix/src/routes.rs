//! The thirty routes that are registered before those that are measured.

use actix_web::{Responder, web};
use serde::Serialize;

#[derive(Serialize)]
struct Part {
    part: u32,
}

async fn part(part: web::Path<u32>) -> impl Responder {
    web::Json(Part {
        part: part.into_inner(),
    })
}

pub fn configure(config: &mut web::ServiceConfig) {
    for number in 0..10 {
        config
            .route(
                &format!("/route-get-{number}/{{part}}"),
                web::get().to(part),
            )
            .route(
                &format!("/route-post-{number}/{{part}}"),
                web::post().to(part),
            )
            .route(
                &format!("/route-put-{number}/{{part}}"),
                web::put().to(part),
            );
    }
}
