use std::error::Error;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

/// An error that the client cannot help: `?` makes it of any, and it is answered with 500.
pub struct InternalError(Box<dyn Error>);

impl<E: Error + 'static> From<E> for InternalError {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl IntoResponse for InternalError {
    fn into_response(self) -> Response {
        eprintln!("{}", self.0);
        StatusCode::INTERNAL_SERVER_ERROR.into_response()
    }
}
