//! The thirty routes that are registered before those that are measured.

use axum::extract::Path;
use axum::routing::{get, post, put};
use axum::{Json, Router};
use serde::Serialize;

use crate::AppState;

#[derive(Serialize)]
struct Part {
    part: u32,
}

async fn part(Path(part): Path<u32>) -> Json<Part> {
    Json(Part { part })
}

pub fn router() -> Router<AppState> {
    (0..10).fold(Router::new(), |router, number| {
        router
            .route(&format!("/route-get-{number}/{{part}}"), get(part))
            .route(&format!("/route-post-{number}/{{part}}"), post(part))
            .route(&format!("/route-put-{number}/{{part}}"), put(part))
    })
}
