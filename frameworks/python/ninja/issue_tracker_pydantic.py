"""Ninja builds the schema of a response from the attributes of the object that a function returns, and writes that."""

from datetime import datetime

from django.http import HttpRequest
from ninja import Router, Schema

from shared import dataclasses_models as rows
from shared.source import typed_source

router = Router()


class Address(Schema):
    formatted: str


class User(Schema):
    sub: str
    group_ids: list[int]
    given_name: str
    name: str
    email: str
    phone_number: str
    address: Address
    picture: str


class Person(Schema):
    id: int
    name: str
    picture: str


class Sprint(Schema):
    id: int
    name: str
    start: datetime
    end: datetime


class Issue(Schema):
    id: int
    summary: str
    description_short: str
    index: int
    status_id: int
    story_points: int
    assigned: Person | None = None
    modified_at: datetime


class Board(Schema):
    """A sprint with its issues."""

    sprint: Sprint
    issues: list[Issue]


class Project(Schema):
    id: int
    key: str
    name: str


class Status(Schema):
    id: int
    name: str
    category: str


class Activity(Schema):
    id: int
    author: Person
    kind: str
    message: str
    created_at: datetime


class TaskIn(Schema):
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


@router.get("/userinfo/pydantic/{user_id}", response=User)
async def userinfo(request: HttpRequest, user_id: int) -> rows.User:
    user = await typed_source.user()
    user.sub = f"{user.sub}-{user_id}"
    return user


@router.get("/sprint/pydantic/{sprint_id}", response=Board, exclude_none=True)
async def sprint(request: HttpRequest, sprint_id: int) -> rows.Board:
    board = await typed_source.sprint()
    board.sprint.id = sprint_id
    return board


@router.post("/board/pydantic/{board_id}/task", response={201: Task})
async def create_task(request: HttpRequest, board_id: int, task: TaskIn) -> rows.Task:
    row = await typed_source.task()
    return rows.Task(board=board_id, **vars(row), **task.dict())


@router.put("/board/pydantic/{board_id}/task", response={204: None})
async def update_task(request: HttpRequest, board_id: int, task: TaskIn) -> None:
    await typed_source.save_task(task)
