//! The environment that an app is started with.

use std::env;
use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

/// The port to listen on.
pub fn port() -> u16 {
    setting("PORT", 8080)
}

/// The number of threads that handle requests.
pub fn workers() -> usize {
    setting("WORKERS", 1)
}

/// Returns a variable of the environment, or its default.
///
/// # Panics
///
/// Where the variable is not of that type, so that a wrongly configured app does not start.
pub(crate) fn setting<T: FromStr<Err: Display>>(name: &str, default: T) -> T {
    match env::var(name) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|error| panic!("{name}={text}: {error}")),
        Err(_) => default,
    }
}

pub(crate) fn milliseconds(name: &str, default: f64) -> Duration {
    Duration::from_secs_f64(setting(name, default) / 1000.0)
}
