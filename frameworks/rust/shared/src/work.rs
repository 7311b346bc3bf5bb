//! The business logic of the suite `workload`, the same in every entry. How it is run is the framework's matter.

use std::time::Duration;

use bcrypt::BcryptResult;
use tokio::time::sleep;

use crate::settings::milliseconds;

pub const TIMED: Duration = Duration::from_millis(20);

const BCRYPT_COST: u32 = 10;

pub fn greeting(payload: &str) -> String {
    format!("Hello, {payload}")
}

/// Takes some 50 ms of a CPU: call it where nobody else waits for the thread.
pub fn hash_password(payload: &str) -> BcryptResult<String> {
    bcrypt::hash(payload, BCRYPT_COST)
}

/// What handling a message of the queue takes.
pub struct Processing {
    duration: Duration,
    note: String,
}

impl Processing {
    pub fn from_env() -> Self {
        let duration = milliseconds("PROCESSING_MS", 0.0);
        let note = format!("handled for {} ms", duration.as_secs_f64() * 1000.0);
        Self { duration, note }
    }

    /// Handles a message, which is waiting, and says for how long.
    pub async fn handle(&self) -> String {
        // tokio's timer counts whole milliseconds, and would make one of nothing
        if !self.duration.is_zero() {
            sleep(self.duration).await;
        }
        self.note.clone()
    }
}
