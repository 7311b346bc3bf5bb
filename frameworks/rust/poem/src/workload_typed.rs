use poem::web::Json;
use poem::{Route, handler, post};
use serde::{Deserialize, Serialize};
use shared::work::{self, greeting};
use tokio::time::sleep;

#[derive(Deserialize, Serialize)]
struct Payload {
    payload: String,
}

#[handler]
async fn simple(Json(body): Json<Payload>) -> Json<Payload> {
    Json(Payload {
        payload: greeting(&body.payload),
    })
}

#[handler]
async fn timed(Json(body): Json<Payload>) -> Json<Payload> {
    sleep(work::TIMED).await;
    Json(Payload {
        payload: greeting(&body.payload),
    })
}

pub fn add(route: Route) -> Route {
    route
        .at("/test/simple/typed", post(simple))
        .at("/test/timed/typed", post(timed))
}
