mod error;
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

use axum::Router;
use axum::extract::FromRef;
use axum::routing::get;
use axum::serve::ListenerExt;
use shared::work::Processing;
use shared::{Solr, Source};
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::sleep;

/// How long requests may take to end after SIGTERM.
const GRACE: Duration = Duration::from_secs(1);

#[derive(Clone, FromRef)]
struct AppState {
    source: Arc<Source>,
    solr: Arc<Solr>,
    processing: Arc<Processing>,
}

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
    let app = Router::new()
        .route("/hello_world", get(hello_world))
        .merge(routes::router())
        .merge(issue_tracker_raw::router())
        .merge(issue_tracker_typed::router())
        .merge(workload_raw::router())
        .merge(workload_typed::router())
        .merge(registry::router())
        .with_state(AppState {
            source: Arc::new(Source::from_env()?),
            solr: Arc::new(Solr::from_env()?),
            processing: Arc::new(Processing::from_env()),
        });
    let listener = TcpListener::bind((Ipv4Addr::UNSPECIFIED, shared::port()))
        .await?
        .tap_io(|stream| {
            if let Err(error) = stream.set_nodelay(true) {
                eprintln!("TCP_NODELAY cannot be set: {error}");
            }
        });
    let server = axum::serve(listener, app).with_graceful_shutdown(shutdown_signal());
    let grace_ends = async {
        shutdown_signal().await;
        sleep(GRACE).await;
    };
    tokio::select! {
        served = server => Ok(served?),
        () = grace_ends => Ok(()),
    }
}

async fn shutdown_signal() {
    signal(SignalKind::terminate())
        .expect("SIGTERM can be handled")
        .recv()
        .await;
}

async fn hello_world() -> &'static str {
    "Hello World"
}
