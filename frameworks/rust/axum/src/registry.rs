use std::sync::Arc;

use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use serde::Deserialize;
use shared::registry::Document;
use shared::{Solr, SolrUnavailable};
use utoipa::{IntoParams, OpenApi};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::AppState;

#[derive(Deserialize, IntoParams)]
struct Filter {
    /// The type of the documents to return
    #[param(example = 1)]
    document_type: i32,
}

#[derive(OpenApi)]
#[openapi(info(title = "restbench", description = "Registry data"))]
struct Documentation;

/// Documents of a type, as they are
#[utoipa::path(get, path = "/json_serialization/typed", params(Filter), responses(
    (status = OK, description = "Documents in Solr's order", body = Vec<Document>),
    (status = BAD_REQUEST, description = "No document type, or one that is not an integer"),
    (status = SERVICE_UNAVAILABLE, description = "Solr does not answer"),
))]
async fn json_serialization(
    Query(filter): Query<Filter>,
    State(solr): State<Arc<Solr>>,
) -> Result<Json<Vec<Document>>, StatusCode> {
    let documents = solr
        .select(filter.document_type)
        .await
        .map_err(unavailable)?;
    Ok(Json(documents))
}

/// Documents with small numbers hidden
#[utoipa::path(get, path = "/anonymization/typed", responses(
    (status = OK, description = "Documents of type 1", body = Vec<Document>),
    (status = SERVICE_UNAVAILABLE, description = "Solr does not answer"),
))]
async fn anonymization(State(solr): State<Arc<Solr>>) -> Result<Json<Vec<Document>>, StatusCode> {
    let documents = solr.select(1).await.map_err(unavailable)?;
    Ok(Json(
        documents.into_iter().map(Document::anonymized).collect(),
    ))
}

fn unavailable(_: SolrUnavailable) -> StatusCode {
    StatusCode::SERVICE_UNAVAILABLE
}

/// The handlers, and the document that utoipa made of them.
pub fn router() -> Router<AppState> {
    let (router, document) = OpenApiRouter::with_openapi(Documentation::openapi())
        .routes(routes!(json_serialization))
        .routes(routes!(anonymization))
        .split_for_parts();
    router.route("/openapi.json", get(async || Json(document)))
}
