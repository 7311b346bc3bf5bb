use std::error::Error;

use rocket::http::Status;
use rocket::serde::json::{Json, Value, json};
use rocket::tokio::task::spawn_blocking;
use rocket::tokio::time::sleep;
use rocket::{Route, State, get, post, routes};
use shared::work::{self, Processing, greeting, hash_password};

#[post("/simple/raw", data = "<body>")]
fn simple(body: Json<Value>) -> Result<Value, (Status, String)> {
    let payload = text(&body, "payload")?;
    Ok(json!({ "payload": greeting(payload) }))
}

#[post("/timed/raw", data = "<body>")]
async fn timed(body: Json<Value>) -> Result<Value, (Status, String)> {
    let payload = text(&body, "payload")?;
    sleep(work::TIMED).await;
    Ok(json!({ "payload": greeting(payload) }))
}

#[post("/bcrypt", data = "<body>")]
async fn bcrypt(body: Json<Value>) -> Result<Value, (Status, String)> {
    let payload = text(&body, "payload")?.to_owned();
    let hash = spawn_blocking(move || hash_password(&payload))
        .await
        .map_err(internal_error)?
        .map_err(internal_error)?;
    Ok(json!({ "payload": hash }))
}

#[get("/status")]
fn status() -> &'static str {
    "OK"
}

#[get("/labels/<label>")]
fn label(label: &str) -> &str {
    label
}

#[post("/", data = "<body>")]
async fn queue(
    body: Json<Value>,
    processing: &State<Processing>,
) -> Result<Value, (Status, String)> {
    let message = text(&body, "message")?;
    let note = processing.handle().await;
    Ok(json!({ "message": message, "note": note }))
}

/// Returns the text under a key of the body.
fn text<'a>(body: &'a Value, key: &str) -> Result<&'a str, (Status, String)> {
    body[key]
        .as_str()
        .ok_or_else(|| (Status::BadRequest, format!("{key} is no text")))
}

fn internal_error(error: impl Error) -> (Status, String) {
    (Status::InternalServerError, error.to_string())
}

pub fn routes() -> Vec<Route> {
    routes![queue, simple, timed, bcrypt, status, label]
}
