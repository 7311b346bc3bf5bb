mod issue_tracker_raw;
mod issue_tracker_typed;
mod registry;
mod routes;
mod workload_raw;
mod workload_typed;

use std::error::Error;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use poem::listener::TcpListener;
use poem::{EndpointExt, Route, Server, get, handler};
use shared::work::Processing;
use shared::{Solr, Source};
use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};

/// How long requests may take to end after SIGTERM.
const GRACE: Duration = Duration::from_secs(1);

fn main() -> Result<(), Box<dyn Error>> {
    let runtime = Builder::new_multi_thread()
        .worker_threads(shared::workers())
        .enable_all()
        .build()?;
    let served = runtime.block_on(serve());
    runtime.shutdown_background(); // a hash that is still being computed is not waited for
    served
}

async fn serve() -> Result<(), Box<dyn Error>> {
    let solr = Solr::from_env()?;
    let route = Route::new().at("/hello_world", get(hello_world));
    let route = routes::add(route);
    let route = issue_tracker_raw::add(route);
    let route = issue_tracker_typed::add(route);
    let route = workload_raw::add(route);
    let route = workload_typed::add(route);
    let route = registry::add(route, solr);
    let app = route
        .data(Arc::new(Source::from_env()?))
        .data(Arc::new(Processing::from_env()));

    Server::new(TcpListener::bind((Ipv4Addr::UNSPECIFIED, shared::port())))
        .run_with_graceful_shutdown(app, shutdown_signal(), Some(GRACE))
        .await?;
    Ok(())
}

async fn shutdown_signal() {
    signal(SignalKind::terminate())
        .expect("SIGTERM can be handled")
        .recv()
        .await;
}

#[handler]
async fn hello_world() -> &'static str {
    "Hello World"
}
