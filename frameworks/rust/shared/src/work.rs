//! The business logic of the suite `workload`, the same in every entry. The framework decides how to run it.

use std::time::Duration;

use bcrypt::BcryptResult;
use tokio::time::sleep;

use crate::settings::milliseconds;

pub const TIMED: Duration = Duration::from_millis(20);

const BCRYPT_COST: u32 = 10;

pub fn greeting(payload: &str) -> String {
    format!("Hello, {payload}")
}

/// Takes about 50 ms of CPU time. Call it on a thread that no other request waits for.
pub fn hash_password(payload: &str) -> BcryptResult<String> {
    bcrypt::hash(payload, BCRYPT_COST)
}

/// Handles messages of the queue. Handling is waiting.
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

    /// Waits as long as a message takes, and returns a note with that time.
    pub async fn handle(&self) -> String {
        // tokio's timer counts whole milliseconds, and would wait 1 ms instead of 0
        if !self.duration.is_zero() {
            sleep(self.duration).await;
        }
        self.note.clone()
    }
}
