"""The issue tracker's types as Pydantic models, which are built from the attributes of typed rows."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    model_config = ConfigDict(from_attributes=True)


class Address(Model):
    formatted: str


class User(Model):
    sub: str
    group_ids: list[int]
    given_name: str
    name: str
    email: str
    phone_number: str
    address: Address
    picture: str


class Person(Model):
    id: int
    name: str
    picture: str


class Sprint(Model):
    id: int
    name: str
    start: datetime
    end: datetime


class Issue(Model):
    id: int
    summary: str
    description_short: str
    index: int
    status_id: int
    story_points: int
    assigned: Person | None = None
    modified_at: datetime


class Board(Model):
    """A sprint with its issues."""

    sprint: Sprint
    issues: list[Issue]


class Project(Model):
    id: int
    key: str
    name: str


class Status(Model):
    id: int
    name: str
    category: str


class Activity(Model):
    id: int
    author: Person
    kind: str
    message: str
    created_at: datetime


class TaskIn(Model):
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
