//! The rows of the emulated data source.

use std::error::Error;
use std::fs;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde_json::{Deserializer, Map, Value};

use crate::settings::setting;

/// Plain values by the name of their column, as a database driver returns them.
pub type PlainRow = Map<String, Value>;

/// The fields of a task that a client sends. The tracker sets the other fields.
const TASK_FIELDS: [&str; 6] = [
    "summary",
    "description",
    "issue_type",
    "priority",
    "labels",
    "components",
];

/// A task that was sent lacks one of its fields.
#[derive(Debug, thiserror::Error)]
#[error("{0} is missing")]
pub struct MissingField(&'static str);

/// Returns the fields of a task, and ignores any other field that was sent.
pub fn task_of(mut body: PlainRow) -> Result<PlainRow, MissingField> {
    TASK_FIELDS
        .into_iter()
        .map(|field| body.remove_entry(field).ok_or(MissingField(field)))
        .collect()
}

/// Returns the text that a value of a plain row is.
pub(crate) fn text(value: &mut Value) -> &mut String {
    match value {
        Value::String(text) => text,
        _ => unreachable!("the typed row has a text here"),
    }
}

/// Reads the rows of a kind, as typed rows and as plain rows.
pub(crate) fn read<T: DeserializeOwned>(file: &str) -> Result<(Vec<T>, Vec<PlainRow>), String> {
    let fixtures = setting("FIXTURES", "/fixtures".to_owned());
    let path = Path::new(&fixtures).join("issue-tracker").join(file);
    parse(&path).map_err(|error| format!("{}: {error}", path.display()))
}

fn parse<T: DeserializeOwned>(path: &Path) -> Result<(Vec<T>, Vec<PlainRow>), Box<dyn Error>> {
    let json = fs::read(path)?;
    let typed = serde_path_to_error::deserialize(&mut Deserializer::from_slice(&json))?;
    let plain = serde_json::from_slice(&json)?;
    Ok((typed, plain))
}
