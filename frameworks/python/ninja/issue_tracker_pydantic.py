"""Ninja validates what a function returns against the schema of the response, and writes that."""

from datetime import datetime
from typing import Any

from django.http import HttpRequest
from ninja import Router, Schema

from shared.source import source

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
async def userinfo(request: HttpRequest, user_id: int) -> dict[str, Any]:
    user = await source.user()
    return {**user, "sub": f"{user['sub']}-{user_id}"}


@router.get("/sprint/pydantic/{sprint_id}", response=Board, exclude_none=True)
async def sprint(request: HttpRequest, sprint_id: int) -> dict[str, Any]:
    board = await source.sprint()
    return {**board, "sprint": {**board["sprint"], "id": sprint_id}}


@router.post("/board/pydantic/{board_id}/task", response={201: Task})
async def create_task(request: HttpRequest, board_id: int, task: TaskIn) -> dict[str, Any]:
    row = await source.task()
    return {**row, "board": board_id, **task.dict()}


@router.put("/board/pydantic/{board_id}/task", response={204: None})
async def update_task(request: HttpRequest, board_id: int, task: TaskIn) -> None:
    await source.save_task(task)
