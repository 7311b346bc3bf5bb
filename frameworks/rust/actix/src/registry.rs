use actix_web::error::ErrorServiceUnavailable;
use actix_web::{HttpResponse, Resource, Result, get, web};
use serde::{Deserialize, Serialize};
use shared::Solr;
use utoipa::openapi::OpenApi;
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;

#[derive(Deserialize, Serialize, ToSchema)]
struct Child {
    #[schema(example = "registry-001-0")]
    id: String,
    #[schema(example = "Birch Mill", nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[schema(example = 100, nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<i32>,
}

impl Child {
    fn anonymized(self) -> Self {
        let number = self.number.map(|n| if n < 100 { 0 } else { n });
        Self { number, ..self }
    }
}

#[derive(Deserialize, Serialize, ToSchema)]
struct Document {
    #[schema(example = "registry-001")]
    id: String,
    #[schema(example = 1)]
    document_type: i32,
    #[schema(example = json!(["Amber Quay", "Łąka Höhe"]), nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    string_array: Option<Vec<String>>,
    #[schema(example = json!([3, 1, 2]), nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    int_array: Option<Vec<i32>>,
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    child_objects: Option<Vec<Child>>,
}

impl Document {
    fn anonymized(self) -> Self {
        let child_objects = self
            .child_objects
            .map(|children| children.into_iter().map(Child::anonymized).collect());
        Self {
            child_objects,
            ..self
        }
    }
}

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
#[get("/json_serialization")]
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
#[get("/anonymization")]
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
