//! The environment that an app is started with.

use std::env;
use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

/// The port to listen on.
pub fn port() -> u16 {
    setting("PORT", 8080)
}

/// Threads that handle requests.
pub fn workers() -> usize {
    setting("WORKERS", 1)
}

/// A variable, or what it is where nobody set it.
///
/// # Panics
///
/// Where the variable is not of that type: an app that is started wrongly does not start.
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
