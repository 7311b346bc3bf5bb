"""The issue tracker's types as standard dataclasses. The typed rows of the data source are User, Board and TaskRow."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(kw_only=True)
class Address:
    formatted: str


@dataclass(kw_only=True)
class User:
    sub: str
    group_ids: list[int]
    given_name: str
    name: str
    email: str
    phone_number: str
    address: Address
    picture: str


@dataclass(kw_only=True)
class Person:
    id: int
    name: str
    picture: str


@dataclass(kw_only=True)
class Sprint:
    id: int = 0  # An entry sets it to the id of the path, as the row has none.
    name: str
    start: datetime
    end: datetime


@dataclass(kw_only=True)
class Issue:
    id: int
    summary: str
    description_short: str
    index: int
    status_id: int
    story_points: int
    assigned: Person | None = None
    modified_at: datetime


@dataclass(kw_only=True)
class Board:
    """A sprint with its issues."""

    sprint: Sprint
    issues: list[Issue]


@dataclass(kw_only=True)
class Project:
    id: int
    key: str
    name: str


@dataclass(kw_only=True)
class Status:
    id: int
    name: str
    category: str


@dataclass(kw_only=True)
class Activity:
    id: int
    author: Person
    kind: str
    message: str
    created_at: datetime


@dataclass(kw_only=True)
class TaskRow:
    """The fields of a task that the tracker sets."""

    id: int
    author: Person
    assigned: Person
    project: Project
    status: Status
    activity: list[Activity]
    created_at: datetime


@dataclass(kw_only=True)
class TaskIn:
    """The fields of a task that a client sends."""

    summary: str
    description: str
    issue_type: str
    priority: str
    labels: list[str]
    components: list[str]


@dataclass(kw_only=True)
class Task(TaskRow, TaskIn):
    board: int
