use poem::{Error, Route, web};
use poem_openapi::param::Query;
use poem_openapi::payload::{Json, PlainText};
use poem_openapi::types::Example;
use poem_openapi::{ApiResponse, Object, OpenApi, OpenApiService};
use serde::Deserialize;
use shared::{Solr, SolrUnavailable};

#[derive(Deserialize, Object)]
#[oai(skip_serializing_if_is_none)]
struct Child {
    id: String,
    name: Option<String>,
    number: Option<i32>,
}

impl Child {
    /// The child with 0 in place of a number below 100.
    fn anonymized(self) -> Self {
        let number = self.number.map(|n| if n < 100 { 0 } else { n });
        Self { number, ..self }
    }
}

#[derive(Deserialize, Object)]
#[oai(example, skip_serializing_if_is_none)]
struct Document {
    id: String,
    document_type: i32,
    string_array: Option<Vec<String>>,
    int_array: Option<Vec<i32>>,
    child_objects: Option<Vec<Child>>,
}

impl Document {
    /// The document with 0 in place of its children's numbers below 100.
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

impl Example for Document {
    fn example() -> Self {
        let child = Child {
            id: "registry-001-0".to_owned(),
            name: Some("Birch Mill".to_owned()),
            number: Some(100),
        };
        Self {
            id: "registry-001".to_owned(),
            document_type: 1,
            string_array: Some(vec!["Amber Quay".to_owned(), "Łąka Höhe".to_owned()]),
            int_array: Some(vec![3, 1, 2]),
            child_objects: Some(vec![child]),
        }
    }
}

/// Poem's own extractor refuses a parameter that is given twice. That of poem-openapi takes the first value.
#[derive(Deserialize)]
struct Once {
    #[serde(rename = "document_type")]
    _document_type: i32,
}

#[derive(ApiResponse)]
#[oai(bad_request_handler = "bad_request")]
enum Selected {
    /// Documents in Solr's order
    #[oai(status = 200)]
    Documents(Json<Vec<Document>>),
    /// No document type, or one that is not an integer
    #[oai(status = 400)]
    BadRequest(PlainText<String>),
}

fn bad_request(error: Error) -> Selected {
    Selected::BadRequest(PlainText(error.to_string()))
}

#[derive(ApiResponse)]
enum Anonymized {
    /// Documents of type 1
    #[oai(status = 200)]
    Documents(Json<Vec<Document>>),
}

#[derive(ApiResponse)]
enum Unavailable {
    /// Solr does not answer
    #[oai(status = 503)]
    Solr,
}

impl From<SolrUnavailable> for Unavailable {
    fn from(_: SolrUnavailable) -> Self {
        Self::Solr
    }
}

struct Registry {
    solr: Solr,
}

#[OpenApi]
impl Registry {
    /// Documents of a type, as they are
    #[oai(path = "/json_serialization/typed", method = "get")]
    async fn json_serialization(
        &self,
        /// The type of the documents to return
        #[oai(example = "example_type")]
        document_type: Query<i32>,
        _once: web::Query<Once>,
    ) -> Result<Selected, Unavailable> {
        let documents = self.solr.select(document_type.0).await?;
        Ok(Selected::Documents(Json(documents)))
    }

    /// Documents with small numbers hidden
    #[oai(path = "/anonymization/typed", method = "get")]
    async fn anonymization(&self) -> Result<Anonymized, Unavailable> {
        let documents = self.solr.select(1).await?;
        Ok(Anonymized::Documents(Json(
            documents.into_iter().map(Document::anonymized).collect(),
        )))
    }
}

fn example_type() -> i32 {
    1
}

/// Adds the operations, and the document that poem-openapi made of them.
pub fn add(route: Route, solr: Solr) -> Route {
    let service =
        OpenApiService::new(Registry { solr }, "restbench", "1.0").description("Registry data");
    route
        .at("/openapi.json", service.spec_endpoint())
        .nest("/", service)
}
