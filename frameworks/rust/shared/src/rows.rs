//! The rows of the emulated data source.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use serde_json::{Map, Value};

use crate::settings::setting;

/// Plain values by the name of their column, as a database driver returns them.
pub type Row = Map<String, Value>;

/// Values by their name, of which most are borrowed from a row.
pub type Answer = BTreeMap<&'static str, Cow<'static, Value>>;

/// Returns the values of a row, with the given ones added or put in their place. No value of the row is copied.
pub fn with(row: &'static Row, own: impl IntoIterator<Item = (&'static str, Value)>) -> Answer {
    let borrowed = row
        .iter()
        .map(|(name, value)| (name.as_str(), Cow::Borrowed(value)));
    let owned = own
        .into_iter()
        .map(|(name, value)| (name, Cow::Owned(value)));
    borrowed.chain(owned).collect()
}

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
pub fn task_of(mut body: Row) -> Result<Vec<(&'static str, Value)>, MissingField> {
    TASK_FIELDS
        .into_iter()
        .map(|field| Ok((field, body.remove(field).ok_or(MissingField(field))?)))
        .collect()
}

pub(crate) struct Rows {
    pub user: Row,
    pub sprint: Row,
    pub task: Row,
}

impl Rows {
    pub fn from_env() -> io::Result<Self> {
        let fixtures = setting("FIXTURES", "/fixtures".to_owned());
        let folder = Path::new(&fixtures).join("issue-tracker");
        Ok(Self {
            user: read(&folder.join("user.json"))?,
            sprint: read(&folder.join("sprint.json"))?,
            task: read(&folder.join("task.json"))?,
        })
    }
}

fn read(path: &Path) -> io::Result<Row> {
    Ok(serde_json::from_reader(BufReader::new(File::open(path)?))?)
}
