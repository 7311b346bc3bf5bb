use std::sync::Arc;

use axum::extract::{Path, State};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use shared::work::{self, Processing, greeting, hash_password};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use crate::AppState;
use crate::error::InternalError;

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

async fn bcrypt(Json(body): Json<Payload>) -> Result<Json<Payload>, InternalError> {
    let payload = spawn_blocking(move || hash_password(&body.payload)).await??;
    Ok(Json(Payload { payload }))
}

async fn status() -> &'static str {
    "OK"
}

async fn label(Path(label): Path<String>) -> String {
    label
}

async fn queue(
    State(processing): State<Arc<Processing>>,
    Json(Message { message }): Json<Message>,
) -> Json<Handled> {
    let note = processing.handle().await;
    Json(Handled { message, note })
}

pub fn router() -> Router<AppState> {
    Router::new()
        .route("/test", post(queue))
        .route("/test/simple", post(simple))
        .route("/test/timed", post(timed))
        .route("/test/bcrypt", post(bcrypt))
        .route("/test/status", get(status))
        .route("/test/labels/{label}", get(label))
}
