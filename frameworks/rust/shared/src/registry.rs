//! The registry's types. Solr's answer is parsed into them, they are the app's answer, and utoipa describes them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Deserialize, Serialize, ToSchema)]
pub struct Child {
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
    /// The child with 0 in place of a number below 100.
    fn anonymized(self) -> Self {
        let number = self.number.map(|n| if n < 100 { 0 } else { n });
        Self { number, ..self }
    }
}

#[derive(Deserialize, Serialize, ToSchema)]
pub struct Document {
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
    /// The document with 0 in place of its children's numbers below 100.
    pub fn anonymized(self) -> Self {
        let child_objects = self
            .child_objects
            .map(|children| children.into_iter().map(Child::anonymized).collect());
        Self {
            child_objects,
            ..self
        }
    }
}
