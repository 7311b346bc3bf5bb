"""The issue tracker's types as msgspec structs, which are built from the attributes of typed rows."""

from datetime import datetime

from msgspec import Struct


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


class Person(Struct, kw_only=True):
    id: int
    name: str
    picture: str


class Sprint(Struct, kw_only=True):
    id: int
    name: str
    start: datetime
    end: datetime


class Issue(Struct, kw_only=True, omit_defaults=True):
    id: int
    summary: str
    description_short: str
    index: int
    status_id: int
    story_points: int
    assigned: Person | None = None  # omit_defaults leaves it out of the answer, in place of null
    modified_at: datetime


class Board(Struct, kw_only=True):
    """A sprint with its issues."""

    sprint: Sprint
    issues: list[Issue]


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
