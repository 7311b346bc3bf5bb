use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Result;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};
use shared::work::{self, Processing, greeting, hash_password};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use crate::AppState;
use crate::error::InternalError;

async fn simple(Json(body): Json<Value>) -> Result<Json<Value>> {
    let payload = text(&body, "payload")?;
    Ok(Json(json!({ "payload": greeting(payload) })))
}

async fn timed(Json(body): Json<Value>) -> Result<Json<Value>> {
    let payload = text(&body, "payload")?;
    sleep(work::TIMED).await;
    Ok(Json(json!({ "payload": greeting(payload) })))
}

async fn bcrypt(Json(body): Json<Value>) -> Result<Json<Value>> {
    let payload = text(&body, "payload")?.to_owned();
    let hash = hashed(payload).await?;
    Ok(Json(json!({ "payload": hash })))
}

async fn hashed(payload: String) -> Result<String, InternalError> {
    Ok(spawn_blocking(move || hash_password(&payload)).await??)
}

async fn status() -> &'static str {
    "OK"
}

async fn label(Path(label): Path<String>) -> String {
    label
}

async fn queue(
    State(processing): State<Arc<Processing>>,
    Json(body): Json<Value>,
) -> Result<Json<Value>> {
    let message = text(&body, "message")?;
    let note = processing.handle().await;
    Ok(Json(json!({ "message": message, "note": note })))
}

/// Returns the text under a key of the body.
fn text<'a>(body: &'a Value, key: &str) -> Result<&'a str, (StatusCode, String)> {
    body[key]
        .as_str()
        .ok_or_else(|| (StatusCode::BAD_REQUEST, format!("{key} is no text")))
}

pub fn router() -> Router<AppState> {
    Router::new()
        .route("/test", post(queue))
        .route("/test/simple/raw", post(simple))
        .route("/test/timed/raw", post(timed))
        .route("/test/bcrypt", post(bcrypt))
        .route("/test/status", get(status))
        .route("/test/labels/{label}", get(label))
}
