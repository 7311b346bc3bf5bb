use rocket::form::Strict;
use rocket::http::Status;
use rocket::serde::json::Json;
use rocket::{FromForm, Route, State, get, routes};
use shared::registry::Document;
use shared::{Solr, SolrUnavailable};
use utoipa::{IntoParams, OpenApi};

#[derive(FromForm, IntoParams)]
struct Filter {
    /// The type of the documents to return
    #[param(example = 1, value_type = i32)]
    document_type: Strict<i32>, // of several values, Rocket would take the first
}

#[derive(OpenApi)]
#[openapi(
    info(title = "restbench", description = "Registry data"),
    paths(json_serialization, anonymization)
)]
struct Documentation;

/// Documents of a type, as they are
#[utoipa::path(params(Filter), responses(
    (status = OK, description = "Documents in Solr's order", body = Vec<Document>),
    (status = UNPROCESSABLE_ENTITY, description = "No document type, or one that is not an integer"),
    (status = SERVICE_UNAVAILABLE, description = "Solr does not answer"),
))]
#[get("/json_serialization/typed?<filter..>")]
async fn json_serialization(
    filter: Filter,
    solr: &State<Solr>,
) -> Result<Json<Vec<Document>>, (Status, String)> {
    let documents = solr
        .select(*filter.document_type)
        .await
        .map_err(unavailable)?;
    Ok(Json(documents))
}

/// Documents with small numbers hidden
#[utoipa::path(responses(
    (status = OK, description = "Documents of type 1", body = Vec<Document>),
    (status = SERVICE_UNAVAILABLE, description = "Solr does not answer"),
))]
#[get("/anonymization/typed")]
async fn anonymization(solr: &State<Solr>) -> Result<Json<Vec<Document>>, (Status, String)> {
    let documents = solr.select(1).await.map_err(unavailable)?;
    Ok(Json(
        documents.into_iter().map(Document::anonymized).collect(),
    ))
}

fn unavailable(error: SolrUnavailable) -> (Status, String) {
    (Status::ServiceUnavailable, error.to_string())
}

#[get("/openapi.json")]
fn documentation() -> Json<utoipa::openapi::OpenApi> {
    Json(Documentation::openapi())
}

pub fn routes() -> Vec<Route> {
    routes![json_serialization, anonymization, documentation]
}
