mod issue_tracker_raw;
mod issue_tracker_typed;
mod registry;
mod routes;
mod workload_raw;
mod workload_typed;

use std::error::Error;
use std::net::Ipv4Addr;

use rocket::config::{Config, LogLevel, Shutdown};
use rocket::tokio::runtime::Builder;
use rocket::{get, routes};
use shared::work::Processing;
use shared::{Solr, Source};

#[get("/hello_world")]
fn hello_world() -> &'static str {
    "Hello World"
}

// `#[launch]` would take the number of threads from Rocket.toml or $ROCKET_WORKERS, whatever the configuration here says.
fn main() -> Result<(), Box<dyn Error>> {
    let config = Config {
        address: Ipv4Addr::UNSPECIFIED.into(),
        port: shared::port(),
        workers: shared::workers(),
        log_level: LogLevel::Off, // LogLevel::Critical still writes of each request that is refused
        shutdown: Shutdown {
            grace: 1, // by default, requests have 2 s to end after SIGTERM, and connections 3 s more
            mercy: 0,
            ..Shutdown::default()
        },
        ..Config::release_default()
    };
    let runtime = Builder::new_multi_thread()
        .worker_threads(config.workers)
        .max_blocking_threads(config.max_blocking)
        .enable_all()
        .build()?;
    let app = rocket::custom(config)
        .manage(Source::from_env()?)
        .manage(Solr::from_env()?)
        .manage(Processing::from_env())
        .mount("/", routes![hello_world])
        .attach(routes::stage())
        .mount("/api/v1", issue_tracker_raw::routes())
        .mount("/api/v1", issue_tracker_typed::routes())
        .mount("/test", workload_raw::routes())
        .mount("/test", workload_typed::routes())
        .mount("/", registry::routes());

    runtime.block_on(app.launch())?;
    runtime.shutdown_background(); // a hash that is still being computed is not waited for
    Ok(())
}
