"""The issue tracker's types as msgspec structs, and how each answer is built from a row of the data source."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Self

import msgspec
from msgspec import UNSET, Struct, UnsetType

Row = Mapping[str, Any]


class Address(Struct, kw_only=True):
    formatted: str


class User(Struct, kw_only=True):
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
        return msgspec.convert({**row, "sub": f"{row['sub']}-{user_id}"}, cls)


class Person(Struct, kw_only=True):
    id: int
    name: str
    picture: str


class Sprint(Struct, kw_only=True):
    id: int
    name: str
    start: datetime
    end: datetime


class Issue(Struct, kw_only=True):
    id: int
    summary: str
    description_short: str
    index: int
    status_id: int
    story_points: int
    assigned: Person | UnsetType = UNSET  # UNSET is left out of the answer, None would be written as null
    modified_at: datetime


class Board(Struct, kw_only=True):
    """A sprint with its issues."""

    sprint: Sprint
    issues: list[Issue]

    @classmethod
    def from_row(cls, row: Row, sprint_id: int) -> Self:
        return msgspec.convert({**row, "sprint": {**row["sprint"], "id": sprint_id}}, cls)


class Project(Struct, kw_only=True):
    id: int
    key: str
    name: str


class Status(Struct, kw_only=True):
    id: int
    name: str
    category: str


class Activity(Struct, kw_only=True):
    id: int
    author: Person
    kind: str
    message: str
    created_at: datetime


class TaskIn(Struct, kw_only=True):
    """The fields of a task that a client sends."""

    summary: str
    description: str
    issue_type: str
    priority: str
    labels: list[str]
    components: list[str]


class Task(TaskIn, kw_only=True):
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
        # Converting all in one pass takes no longer than building the task of a converted row and the body's struct.
        return msgspec.convert({**row, "board": board_id, **msgspec.structs.asdict(task)}, cls)
