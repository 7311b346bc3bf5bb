from typing import Any

from django.http import HttpRequest
from ninja import Body, Router
from ninja.errors import HttpError

from shared.source import TASK_FIELDS, source

router = Router()


@router.get("/userinfo/raw/{user_id}")
async def userinfo(request: HttpRequest, user_id: int) -> dict[str, Any]:
    user = await source.user()
    return {**user, "sub": f"{user['sub']}-{user_id}"}


@router.get("/sprint/raw/{sprint_id}")
async def sprint(request: HttpRequest, sprint_id: int) -> dict[str, Any]:
    board = await source.sprint()
    return {**board, "sprint": {**board["sprint"], "id": sprint_id}}


@router.post("/board/raw/{board_id}/task", response={201: dict[str, Any]})
async def create_task(request: HttpRequest, board_id: int, body: Body[dict[str, Any]]) -> dict[str, Any]:
    task = task_of(body)
    row = await source.task()
    return {**row, "board": board_id, **task}


@router.put("/board/raw/{board_id}/task", response={204: None})
async def update_task(request: HttpRequest, board_id: int, body: Body[dict[str, Any]]) -> None:
    await source.save_task(task_of(body))


def task_of(body: dict[str, Any]) -> dict[str, Any]:
    """The fields of a task; whatever else was sent is ignored."""
    try:
        return {field: body[field] for field in TASK_FIELDS}
    except KeyError as error:
        raise HttpError(400, f"{error} is missing.") from error
