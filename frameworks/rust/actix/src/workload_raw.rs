use actix_web::error::{ErrorBadRequest, ErrorInternalServerError};
use actix_web::rt::time::sleep;
use actix_web::{Responder, Result, get, post, web};
use serde_json::{Value, json};
use shared::work::{self, Processing, greeting, hash_password};

#[post("/test/simple/raw")]
async fn simple(body: web::Json<Value>) -> Result<impl Responder> {
    let payload = text(&body, "payload")?;
    Ok(web::Json(json!({ "payload": greeting(payload) })))
}

#[post("/test/timed/raw")]
async fn timed(body: web::Json<Value>) -> Result<impl Responder> {
    let payload = text(&body, "payload")?;
    sleep(work::TIMED).await;
    Ok(web::Json(json!({ "payload": greeting(payload) })))
}

#[post("/test/bcrypt")]
async fn bcrypt(body: web::Json<Value>) -> Result<impl Responder> {
    let payload = text(&body, "payload")?.to_owned();
    let hash = web::block(move || hash_password(&payload))
        .await?
        .map_err(ErrorInternalServerError)?;
    Ok(web::Json(json!({ "payload": hash })))
}

#[get("/test/status")]
async fn status() -> &'static str {
    "OK"
}

#[get("/test/labels/{label}")]
async fn label(label: web::Path<String>) -> String {
    label.into_inner()
}

#[post("/test")]
async fn queue(
    body: web::Json<Value>,
    processing: web::Data<Processing>,
) -> Result<impl Responder> {
    let message = text(&body, "message")?;
    let note = processing.handle().await;
    Ok(web::Json(json!({ "message": message, "note": note })))
}

/// Returns the text under a key of the body.
fn text<'a>(body: &'a Value, key: &str) -> Result<&'a str> {
    body[key]
        .as_str()
        .ok_or_else(|| ErrorBadRequest(format!("{key} is no text")))
}

pub fn configure(config: &mut web::ServiceConfig) {
    config
        .service(queue)
        .service(simple)
        .service(timed)
        .service(bcrypt)
        .service(status)
        .service(label);
}
