//! The rows of the emulated data source.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use serde_json::{Map, Value};

use crate::settings::setting;

/// Plain values by the name of their column, as a database driver returns them.
pub type Row = Map<String, Value>;

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
pub fn task_of(mut body: Row) -> Result<Row, MissingField> {
    TASK_FIELDS
        .into_iter()
        .map(|field| body.remove_entry(field).ok_or(MissingField(field)))
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
