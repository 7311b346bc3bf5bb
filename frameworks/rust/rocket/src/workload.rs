use rocket::http::Status;
use rocket::serde::json::Json;
use rocket::serde::{Deserialize, Serialize};
use rocket::tokio::task::spawn_blocking;
use rocket::tokio::time::sleep;
use rocket::{Route, State, get, post, routes};
use shared::work::{self, Processing, greeting, hash_password};

#[derive(Deserialize, Serialize)]
#[serde(crate = "rocket::serde")]
struct Payload {
    payload: String,
}

#[derive(Deserialize)]
#[serde(crate = "rocket::serde")]
struct Message {
    message: String,
}

#[derive(Serialize)]
#[serde(crate = "rocket::serde")]
struct Handled {
    message: String,
    note: String,
}

#[post("/simple", data = "<body>")]
fn simple(body: Json<Payload>) -> Json<Payload> {
    Json(Payload {
        payload: greeting(&body.payload),
    })
}

#[post("/timed", data = "<body>")]
async fn timed(body: Json<Payload>) -> Json<Payload> {
    sleep(work::TIMED).await;
    Json(Payload {
        payload: greeting(&body.payload),
    })
}

#[post("/bcrypt", data = "<body>")]
async fn bcrypt(body: Json<Payload>) -> Result<Json<Payload>, Status> {
    let hashing = spawn_blocking(move || hash_password(&body.payload)).await;
    match hashing {
        Ok(Ok(payload)) => Ok(Json(Payload { payload })),
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
async fn queue(body: Json<Message>, processing: &State<Processing>) -> Json<Handled> {
    let Message { message } = body.into_inner();
    let note = processing.handle().await;
    Json(Handled { message, note })
}

pub fn routes() -> Vec<Route> {
    routes![queue, simple, timed, bcrypt, status, label]
}
