//! The thirty routes that are registered before those that are measured.

use rocket::fairing::AdHoc;
use rocket::serde::Serialize;
use rocket::serde::json::Json;
use rocket::{get, post, put, routes};

#[derive(Serialize)]
#[serde(crate = "rocket::serde")]
struct Part {
    part: u32,
}

#[get("/<part>")]
fn read_part(part: u32) -> Json<Part> {
    Json(Part { part })
}

#[post("/<part>")]
fn create_part(part: u32) -> Json<Part> {
    Json(Part { part })
}

#[put("/<part>")]
fn replace_part(part: u32) -> Json<Part> {
    Json(Part { part })
}

pub fn stage() -> AdHoc {
    AdHoc::on_ignite("routes", async |rocket| {
        (0..10).fold(rocket, |rocket, number| {
            rocket
                .mount(format!("/route-get-{number}"), routes![read_part])
                .mount(format!("/route-post-{number}"), routes![create_part])
                .mount(format!("/route-put-{number}"), routes![replace_part])
        })
    })
}
