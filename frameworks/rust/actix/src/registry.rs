use actix_web::error::ErrorServiceUnavailable;
use actix_web::{HttpResponse, Resource, Result, get, web};
use serde::Deserialize;
use shared::Solr;
use shared::registry::Document;
use utoipa::IntoParams;
use utoipa::openapi::OpenApi;
use utoipa_actix_web::service_config::ServiceConfig;

#[derive(Deserialize, IntoParams)]
struct Filter {
    /// The type of the documents to return
    #[param(example = 1)]
    document_type: i32,
}

/// Documents of a type, as they are
#[utoipa::path(params(Filter), responses(
    (status = OK, description = "Documents in Solr's order", body = Vec<Document>),
    (status = BAD_REQUEST, description = "No document type, or one that is not an integer"),
    (status = SERVICE_UNAVAILABLE, description = "Solr does not answer"),
))]
#[get("/json_serialization/typed")]
async fn json_serialization(
    filter: web::Query<Filter>,
    solr: web::Data<Solr>,
) -> Result<web::Json<Vec<Document>>> {
    let documents = solr
        .select(filter.document_type)
        .await
        .map_err(ErrorServiceUnavailable)?;
    Ok(web::Json(documents))
}

/// Documents with small numbers hidden
#[utoipa::path(responses(
    (status = OK, description = "Documents of type 1", body = Vec<Document>),
    (status = SERVICE_UNAVAILABLE, description = "Solr does not answer"),
))]
#[get("/anonymization/typed")]
async fn anonymization(solr: web::Data<Solr>) -> Result<web::Json<Vec<Document>>> {
    let documents = solr.select(1).await.map_err(ErrorServiceUnavailable)?;
    Ok(web::Json(
        documents.into_iter().map(Document::anonymized).collect(),
    ))
}

pub fn configure(config: &mut ServiceConfig) {
    config.service(json_serialization).service(anonymization);
}

/// The resource that shows the document which utoipa made of the handlers.
pub fn documentation(document: OpenApi) -> Resource {
    web::resource("/openapi.json")
        .app_data(web::Data::new(document))
        .get(async |document: web::Data<OpenApi>| HttpResponse::Ok().json(document))
}
