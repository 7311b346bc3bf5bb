use rocket::form::Strict;
use rocket::http::Status;
use rocket::serde::json::Json;
use rocket::serde::{Deserialize, Serialize};
use rocket::{FromForm, Route, State, get, routes};
use shared::{Solr, SolrUnavailable};
use utoipa::{IntoParams, OpenApi, ToSchema};

#[derive(Deserialize, Serialize, ToSchema)]
#[serde(crate = "rocket::serde")]
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
#[serde(crate = "rocket::serde")]
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
#[get("/json_serialization?<filter..>")]
async fn json_serialization(
    filter: Filter,
    solr: &State<Solr>,
) -> Result<Json<Vec<Document>>, Status> {
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
#[get("/anonymization")]
async fn anonymization(solr: &State<Solr>) -> Result<Json<Vec<Document>>, Status> {
    let documents: Vec<Document> = solr.select(1).await.map_err(unavailable)?;
    Ok(Json(
        documents.into_iter().map(Document::anonymized).collect(),
    ))
}

fn unavailable(_: SolrUnavailable) -> Status {
    Status::ServiceUnavailable
}

#[get("/openapi.json")]
fn documentation() -> Json<utoipa::openapi::OpenApi> {
    Json(Documentation::openapi())
}

pub fn routes() -> Vec<Route> {
    routes![json_serialization, anonymization, documentation]
}
