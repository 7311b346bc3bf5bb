use rocket::http::Status;
use rocket::serde::json::{Json, Value, json};
use rocket::tokio::task::spawn_blocking;
use rocket::tokio::time::sleep;
use rocket::{Route, State, get, post, routes};
use shared::work::{self, Processing, greeting, hash_password};

#[post("/simple/raw", data = "<body>")]
fn simple(body: Json<Value>) -> Result<Value, Status> {
    let payload = text(&body, "payload")?;
    Ok(json!({ "payload": greeting(payload) }))
}

#[post("/timed/raw", data = "<body>")]
async fn timed(body: Json<Value>) -> Result<Value, Status> {
    let payload = text(&body, "payload")?;
    sleep(work::TIMED).await;
    Ok(json!({ "payload": greeting(payload) }))
}

#[post("/bcrypt", data = "<body>")]
async fn bcrypt(body: Json<Value>) -> Result<Value, Status> {
    let payload = text(&body, "payload")?.to_owned();
    let hashing = spawn_blocking(move || hash_password(&payload)).await;
    match hashing {
        Ok(Ok(hash)) => Ok(json!({ "payload": hash })),
        _ => Err(Status::InternalServerError),
    }
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
async fn queue(body: Json<Value>, processing: &State<Processing>) -> Result<Value, Status> {
    let message = text(&body, "message")?;
    let note = processing.handle().await;
    Ok(json!({ "message": message, "note": note }))
}

/// Returns the text under a key of the body.
fn text<'a>(body: &'a Value, key: &str) -> Result<&'a str, Status> {
    body[key].as_str().ok_or(Status::BadRequest)
}

pub fn routes() -> Vec<Route> {
    routes![queue, simple, timed, bcrypt, status, label]
}
