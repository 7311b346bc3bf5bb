use std::io;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::sleep;

use crate::Fetched;
use crate::rows::Rows;
use crate::settings::{milliseconds, setting};

/// The emulated data source. It has a pool of connections, and a fetch holds one of them for a while.
///
/// It replaces a database, so that an app waits as real apps do. It costs as little CPU time as possible, because it is
/// not measured. An app has one source for all its threads.
pub struct Source {
    rows: &'static Rows,
    pool: Semaphore,
    latency: Duration,
}

impl Source {
    /// Reads the rows. No file is opened later, and the rows are never freed, so that answers can give them back.
    pub fn from_env() -> io::Result<Self> {
        Ok(Self {
            rows: Box::leak(Box::new(Rows::from_env()?)),
            pool: Semaphore::new(setting("POOL_SIZE", 100)),
            latency: milliseconds("POOL_LATENCY_MS", 1.0),
        })
    }

    pub async fn user(&self) -> Fetched {
        self.use_connection().await;
        self.rows.user()
    }

    /// The sprint and its issues.
    pub async fn sprint(&self) -> Fetched {
        self.use_connection().await;
        self.rows.sprint()
    }

    /// The fields of a new task that the tracker sets: its number, author, status, …
    pub async fn task(&self) -> Fetched {
        self.use_connection().await;
        self.rows.task()
    }

    /// Takes as long as a write would, and keeps nothing.
    pub async fn save_task<T>(&self, _task: T) {
        self.use_connection().await;
        self.rows.save_task();
    }

    async fn use_connection(&self) {
        let _connection = self.pool.acquire().await.expect("nobody closes the pool");
        sleep(self.latency).await;
    }
}
