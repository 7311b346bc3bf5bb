//! The issue tracker's types, and how each answer is built from a row of the data source.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::rows::Row;

#[derive(Deserialize, Serialize)]
pub struct Address {
    pub formatted: String,
}

#[derive(Deserialize, Serialize)]
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

impl User {
    /// Returns the user with that id.
    pub fn from_row(row: &Row, id: u32) -> serde_json::Result<Self> {
        let user = Self::deserialize(row)?;
        let sub = format!("{}-{id}", user.sub);
        Ok(Self { sub, ..user })
    }
}

#[derive(Deserialize, Serialize)]
pub struct Person {
    pub id: u32,
    pub name: String,
    pub picture: String,
}

#[derive(Deserialize, Serialize)]
pub struct Sprint {
    #[serde(skip_deserializing)] // the id is in the path of a request, not in the row
    pub id: u32,
    pub name: String,
    pub start: DateTime<Utc>,
    pub end: DateTime<Utc>,
}

#[derive(Deserialize, Serialize)]
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
#[derive(Deserialize, Serialize)]
pub struct Board {
    pub sprint: Sprint,
    pub issues: Vec<Issue>,
}

impl Board {
    /// Returns the board of the sprint with that id.
    pub fn from_row(row: &Row, sprint_id: u32) -> serde_json::Result<Self> {
        let mut board = Self::deserialize(row)?;
        board.sprint.id = sprint_id;
        Ok(board)
    }
}

#[derive(Deserialize, Serialize)]
pub struct Project {
    pub id: u32,
    pub key: String,
    pub name: String,
}

#[derive(Deserialize, Serialize)]
pub struct Status {
    pub id: u32,
    pub name: String,
    pub category: String,
}

#[derive(Deserialize, Serialize)]
pub struct Activity {
    pub id: u32,
    pub author: Person,
    pub kind: String,
    pub message: String,
    pub created_at: DateTime<Utc>,
}

/// The fields of a task that a client sends.
#[derive(Deserialize, Serialize)]
pub struct TaskIn {
    pub summary: String,
    pub description: String,
    pub issue_type: String,
    pub priority: String,
    pub labels: Vec<String>,
    pub components: Vec<String>,
}

/// The fields of a task that the tracker sets.
#[derive(Deserialize, Serialize)]
pub struct TaskRow {
    pub id: u32,
    pub author: Person,
    pub assigned: Person,
    pub project: Project,
    pub status: Status,
    pub activity: Vec<Activity>,
    pub created_at: DateTime<Utc>,
}

#[derive(Serialize)]
pub struct Task {
    pub board: u32,
    #[serde(flatten)]
    pub known: TaskRow,
    #[serde(flatten)]
    pub sent: TaskIn,
}

impl Task {
    /// Returns the task that was sent to that board.
    pub fn from_row(row: &Row, board: u32, sent: TaskIn) -> serde_json::Result<Self> {
        let known = TaskRow::deserialize(row)?;
        Ok(Self { board, known, sent })
    }
}
