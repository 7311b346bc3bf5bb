mod issue_tracker_raw;
mod issue_tracker_typed;
mod registry;
mod routes;
mod workload_raw;
mod workload_typed;

use std::error::Error;

use actix_web::{App, HttpServer, get, web};
use shared::work::Processing;
use shared::{Solr, Source};
use utoipa::OpenApi;
use utoipa_actix_web::AppExt;

#[derive(OpenApi)]
#[openapi(info(title = "restbench", description = "Registry data"))]
struct Documentation;

#[get("/hello_world")]
async fn hello_world() -> &'static str {
    "Hello World"
}

#[actix_web::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let source = web::Data::new(Source::from_env()?);
    let solr = web::Data::new(Solr::from_env()?);
    let processing = web::Data::new(Processing::from_env());

    let server = HttpServer::new(move || {
        App::new()
            .app_data(source.clone())
            .app_data(solr.clone())
            .app_data(processing.clone())
            .service(hello_world)
            .configure(routes::configure)
            .configure(issue_tracker_raw::configure)
            .configure(issue_tracker_typed::configure)
            .configure(workload_raw::configure)
            .configure(workload_typed::configure)
            .into_utoipa_app()
            .openapi(Documentation::openapi())
            .configure(registry::configure)
            .openapi_service(registry::documentation)
            .into_app()
    });
    server
        .workers(shared::workers())
        .shutdown_timeout(1) // by default, requests have 30 s to end after SIGTERM
        .tcp_nodelay(true)
        .bind(("0.0.0.0", shared::port()))?
        .run()
        .await?;
    Ok(())
}
