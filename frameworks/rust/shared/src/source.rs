use std::io;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::sleep;

use crate::rows::{Row, Rows};
use crate::settings::{milliseconds, setting};

/// The emulated data source: a pool of connections, and fetches that hold one of them for a while.
///
/// It stands in for a database, so that an app waits as apps do, and costs as little as it can: it is not what is
/// measured. An app has one of it, whatever number of threads ask it.
pub struct Source {
    rows: Rows,
    pool: Semaphore,
    latency: Duration,
}

impl Source {
    /// Reads the rows, which is the only time that a file is opened.
    pub fn from_env() -> io::Result<Self> {
        Ok(Self {
            rows: Rows::from_env()?,
            pool: Semaphore::new(setting("POOL_SIZE", 100)),
            latency: milliseconds("POOL_LATENCY_MS", 1.0),
        })
    }

    pub async fn user(&self) -> &Row {
        self.use_connection().await;
        &self.rows.user
    }

    /// The sprint, and its issues.
    pub async fn sprint(&self) -> &Row {
        self.use_connection().await;
        &self.rows.sprint
    }

    /// What the tracker itself knows of a new task: its number, author, status, …
    pub async fn task(&self) -> &Row {
        self.use_connection().await;
        &self.rows.task
    }

    /// Takes as long as a write would; nothing is kept.
    pub async fn save_task<T>(&self, _task: T) {
        self.use_connection().await;
    }

    async fn use_connection(&self) {
        let _connection = self.pool.acquire().await.expect("nobody closes the pool");
        sleep(self.latency).await;
    }
}
