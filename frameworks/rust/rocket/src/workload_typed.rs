use rocket::serde::json::Json;
use rocket::serde::{Deserialize, Serialize};
use rocket::tokio::time::sleep;
use rocket::{Route, post, routes};
use shared::work::{self, greeting};

#[derive(Deserialize, Serialize)]
#[serde(crate = "rocket::serde")]
struct Payload {
    payload: String,
}

#[post("/simple/typed", data = "<body>")]
fn simple(body: Json<Payload>) -> Json<Payload> {
    Json(Payload {
        payload: greeting(&body.payload),
    })
}

#[post("/timed/typed", data = "<body>")]
async fn timed(body: Json<Payload>) -> Json<Payload> {
    sleep(work::TIMED).await;
    Json(Payload {
        payload: greeting(&body.payload),
    })
}

pub fn routes() -> Vec<Route> {
    routes![simple, timed]
}
