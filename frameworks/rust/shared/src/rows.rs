//! The rows of the emulated data source.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::Fetched;
use crate::copies::Copies;
use crate::settings::setting;

/// Plain values by the name of their column, as a database driver returns them.
pub type Row = Map<String, Value>;

/// The values of a row, with others added or put in their place. No value of the row is copied.
pub struct Answer {
    row: Fetched,
    own: Vec<(&'static str, Value)>,
}

/// Returns the answer with that row, and with the given values added or put in the place of the row's.
pub fn with(row: Fetched, own: impl Into<Vec<(&'static str, Value)>>) -> Answer {
    let own = own.into();
    Answer { row, own }
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fetched = self.row.iter().map(|(name, value)| (name.as_str(), value));
        let own = self.own.iter().map(|(name, value)| (*name, value));
        let values: BTreeMap<_, _> = fetched.chain(own).collect();
        values.serialize(serializer)
    }
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

/// Makes the rows of fetches. The number of the fetch ends one text of each row (docs/CONTRACT.md).
pub(crate) struct Rows {
    next_number: AtomicU64,
    user: Copies,
    sprint: Copies,
    task: Copies,
}

const ISSUES: usize = 100;

impl Rows {
    pub fn from_env() -> io::Result<Self> {
        let fixtures = setting("FIXTURES", "/fixtures".to_owned());
        let folder = Path::new(&fixtures).join("issue-tracker");
        let user = read(&folder.join("user.json"))?;
        let sprint = read(&folder.join("sprint.json"))?;
        let task = read(&folder.join("task.json"))?;
        Ok(Self {
            next_number: AtomicU64::new(1_000_000_000 + getrandom::u64()? % 8_000_000_000),
            user: Copies::new(user, 1, |row, _| &mut row["picture"]),
            sprint: Copies::new(
                sprint,
                ISSUES,
                |row, index| &mut row["issues"][index]["description_short"],
            ),
            task: Copies::new(task, 1, |row, _| &mut row["author"]["picture"]),
        })
    }

    pub fn user(&'static self) -> Fetched {
        self.user.lend(self.number())
    }

    pub fn sprint(&'static self) -> Fetched {
        self.sprint.lend(self.number())
    }

    pub fn task(&'static self) -> Fetched {
        self.task.lend(self.number())
    }

    pub fn save_task(&self) {
        self.number();
    }

    /// Returns the number of a new fetch.
    fn number(&self) -> u64 {
        self.next_number.fetch_add(1, Ordering::Relaxed)
    }
}

fn read(path: &Path) -> io::Result<Row> {
    Ok(serde_json::from_reader(BufReader::new(File::open(path)?))?)
}
