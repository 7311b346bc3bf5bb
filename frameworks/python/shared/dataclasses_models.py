"""The issue tracker's types as standard dataclasses, and how each is built from a row of the data source."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

Row = Mapping[str, Any]


@dataclass(kw_only=True, slots=True)
class Address:
    formatted: str


@dataclass(kw_only=True, slots=True)
class User:
    sub: str
    group_ids: list[int]
    given_name: str
    name: str
    email: str
    phone_number: str
    address: Address
    picture: str

    @classmethod
    def from_row(cls, row: Row, user_id: int) -> Self:
        return cls(**{**row, "sub": f"{row['sub']}-{user_id}", "address": Address(**row["address"])})


@dataclass(kw_only=True, slots=True)
class Person:
    id: int
    name: str
    picture: str


@dataclass(kw_only=True, slots=True)
class Sprint:
    id: int
    name: str
    start: datetime
    end: datetime

    @classmethod
    def from_row(cls, row: Row, sprint_id: int) -> Self:
        return cls(
            id=sprint_id,
            name=row["name"],
            start=datetime.fromisoformat(row["start"]),
            end=datetime.fromisoformat(row["end"]),
        )


@dataclass(kw_only=True, slots=True)
class Issue:
    id: int
    summary: str
    description_short: str
    index: int
    status_id: int
    story_points: int
    assigned: Person | None = None
    modified_at: datetime

    @classmethod
    def from_row(cls, row: Row, nobody: Any = None) -> Self:
        assigned = row.get("assigned")
        return cls(
            id=row["id"],
            summary=row["summary"],
            description_short=row["description_short"],
            index=row["index"],
            status_id=row["status_id"],
            story_points=row["story_points"],
            assigned=Person(**assigned) if assigned else nobody,
            modified_at=datetime.fromisoformat(row["modified_at"]),
        )


@dataclass(kw_only=True, slots=True)
class Board:
    """A sprint with its issues."""

    sprint: Sprint
    issues: list[Issue]

    @classmethod
    def from_row(cls, row: Row, sprint_id: int) -> Self:
        return cls(
            sprint=Sprint.from_row(row["sprint"], sprint_id),
            issues=[Issue.from_row(issue) for issue in row["issues"]],
        )


@dataclass(kw_only=True, slots=True)
class Project:
    id: int
    key: str
    name: str


@dataclass(kw_only=True, slots=True)
class Status:
    id: int
    name: str
    category: str


@dataclass(kw_only=True, slots=True)
class Activity:
    id: int
    author: Person
    kind: str
    message: str
    created_at: datetime

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return cls(
            id=row["id"],
            author=Person(**row["author"]),
            kind=row["kind"],
            message=row["message"],
            created_at=datetime.fromisoformat(row["created_at"]),
        )


@dataclass(kw_only=True, slots=True)
class TaskIn:
    """The fields of a task that a client sends."""

    summary: str
    description: str
    issue_type: str
    priority: str
    labels: list[str]
    components: list[str]


@dataclass(kw_only=True, slots=True)
class Task(TaskIn):
    id: int
    board: int
    author: Person
    assigned: Person
    project: Project
    status: Status
    activity: list[Activity]
    created_at: datetime

    @classmethod
    def from_row(cls, row: Row, board_id: int, task: TaskIn) -> Self:
        return cls(
            id=row["id"],
            board=board_id,
            author=Person(**row["author"]),
            assigned=Person(**row["assigned"]),
            project=Project(**row["project"]),
            status=Status(**row["status"]),
            activity=[Activity.from_row(activity) for activity in row["activity"]],
            created_at=datetime.fromisoformat(row["created_at"]),
            summary=task.summary,
            description=task.description,
            issue_type=task.issue_type,
            priority=task.priority,
            labels=task.labels,
            components=task.components,
        )
