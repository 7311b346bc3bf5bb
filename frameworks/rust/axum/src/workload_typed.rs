use axum::routing::post;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use shared::work::{self, greeting};
use tokio::time::sleep;

use crate::AppState;

#[derive(Deserialize, Serialize)]
struct Payload {
    payload: String,
}

async fn simple(Json(body): Json<Payload>) -> Json<Payload> {
    Json(Payload {
        payload: greeting(&body.payload),
    })
}

async fn timed(Json(body): Json<Payload>) -> Json<Payload> {
    sleep(work::TIMED).await;
    Json(Payload {
        payload: greeting(&body.payload),
    })
}

pub fn router() -> Router<AppState> {
    Router::new()
        .route("/test/simple/typed", post(simple))
        .route("/test/timed/typed", post(timed))
}
