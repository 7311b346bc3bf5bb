use std::sync::Arc;

use poem::error::InternalServerError;
use poem::http::StatusCode;
use poem::web::{Data, Json, Path};
use poem::{Error, Result, Route, get, handler, post};
use serde_json::{Value, json};
use shared::work::{self, Processing, greeting, hash_password};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

#[handler]
async fn simple(Json(body): Json<Value>) -> Result<Json<Value>> {
    let payload = text(&body, "payload")?;
    Ok(Json(json!({ "payload": greeting(payload) })))
}

#[handler]
async fn timed(Json(body): Json<Value>) -> Result<Json<Value>> {
    let payload = text(&body, "payload")?;
    sleep(work::TIMED).await;
    Ok(Json(json!({ "payload": greeting(payload) })))
}

#[handler]
async fn bcrypt(Json(body): Json<Value>) -> Result<Json<Value>> {
    let payload = text(&body, "payload")?.to_owned();
    let hash = spawn_blocking(move || hash_password(&payload))
        .await
        .map_err(InternalServerError)?
        .map_err(InternalServerError)?;
    Ok(Json(json!({ "payload": hash })))
}

#[handler]
async fn status() -> &'static str {
    "OK"
}

#[handler]
async fn label(Path(label): Path<String>) -> String {
    label
}

#[handler]
async fn queue(
    Data(processing): Data<&Arc<Processing>>,
    Json(body): Json<Value>,
) -> Result<Json<Value>> {
    let message = text(&body, "message")?;
    let note = processing.handle().await;
    Ok(Json(json!({ "message": message, "note": note })))
}

/// Returns the text under a key of the body.
fn text<'a>(body: &'a Value, key: &str) -> Result<&'a str> {
    body[key]
        .as_str()
        .ok_or_else(|| Error::from_string(format!("{key} is no text"), StatusCode::BAD_REQUEST))
}

pub fn add(route: Route) -> Route {
    route
        .at("/test", post(queue))
        .at("/test/simple/raw", post(simple))
        .at("/test/timed/raw", post(timed))
        .at("/test/bcrypt", post(bcrypt))
        .at("/test/status", get(status))
        .at("/test/labels/:label", get(label))
}
