//! The thirty routes that are registered before those that are measured.

use poem::web::{Json, Path};
use poem::{Route, get, handler, post, put};
use serde::Serialize;

#[derive(Serialize)]
struct Part {
    part: u32,
}

#[handler]
async fn part(Path(part): Path<u32>) -> Json<Part> {
    Json(Part { part })
}

pub fn add(route: Route) -> Route {
    (0..10).fold(route, |route, number| {
        route
            .at(format!("/route-get-{number}/:part"), get(part))
            .at(format!("/route-post-{number}/:part"), post(part))
            .at(format!("/route-put-{number}/:part"), put(part))
    })
}
