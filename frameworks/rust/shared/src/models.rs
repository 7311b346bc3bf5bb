//! The issue tracker's types. Its typed rows are users, boards and tasks.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

#[derive(Clone, Default, Deserialize, Serialize)]
pub struct Address {
    pub formatted: String,
}

#[derive(Clone, Default, Deserialize, Serialize)]
pub struct User {
    pub sub: String,
    pub group_ids: Vec<u32>,
    pub given_name: String,
    pub name: String,
    pub email: String,
    pub phone_number: String,
    pub address: Address,
    pub picture: String,
}

#[derive(Clone, Default, Deserialize, Serialize)]
pub struct Person {
    pub id: u32,
    pub name: String,
    pub picture: String,
}

#[derive(Clone, Default, Deserialize, Serialize)]
pub struct Sprint {
    #[serde(skip_deserializing)] // the id is in the path of a request, not in the row
    pub id: u32,
    pub name: String,
    pub start: DateTime<Utc>,
    pub end: DateTime<Utc>,
}

#[derive(Clone, Deserialize, Serialize)]
pub struct Issue {
    pub id: u32,
    pub summary: String,
    pub description_short: String,
    pub index: u32,
    pub status_id: u32,
    pub story_points: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assigned: Option<Person>,
    pub modified_at: DateTime<Utc>,
}

/// A sprint with its issues.
#[derive(Clone, Default, Deserialize, Serialize)]
pub struct Board {
    pub sprint: Sprint,
    pub issues: Vec<Issue>,
}

#[derive(Clone, Default, Deserialize, Serialize)]
pub struct Project {
    pub id: u32,
    pub key: String,
    pub name: String,
}

#[derive(Clone, Default, Deserialize, Serialize)]
pub struct Status {
    pub id: u32,
    pub name: String,
    pub category: String,
}

#[derive(Clone, Deserialize, Serialize)]
pub struct Activity {
    pub id: u32,
    pub author: Person,
    pub kind: String,
    pub message: String,
    pub created_at: DateTime<Utc>,
}

/// The fields of a task that a client sends.
#[derive(Clone, Default, Deserialize, Serialize)]
pub struct TaskIn {
    pub summary: String,
    pub description: String,
    pub issue_type: String,
    pub priority: String,
    pub labels: Vec<String>,
    pub components: Vec<String>,
}

/// A task. Its row has the fields that the tracker sets.
#[derive(Clone, Default, Deserialize, Serialize)]
pub struct Task {
    #[serde(skip_deserializing)]
    pub board: u32,
    #[serde(flatten, skip_deserializing)]
    pub sent: TaskIn,
    pub id: u32,
    pub author: Person,
    pub assigned: Person,
    pub project: Project,
    pub status: Status,
    pub activity: Vec<Activity>,
    pub created_at: DateTime<Utc>,
}
