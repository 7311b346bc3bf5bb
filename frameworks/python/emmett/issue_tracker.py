from typing import Any

from emmett import abort, request, response

from app import api, app
from shared.source import TASK_FIELDS, source


@api.route("/api/v1/userinfo/raw/<int:user_id>", methods="get")
async def userinfo(user_id: int) -> dict[str, Any]:
    user = await source.user()
    return {**user, "sub": f"{user['sub']}-{user_id}"}


@api.route("/api/v1/sprint/raw/<int:sprint_id>", methods="get")
async def sprint(sprint_id: int) -> dict[str, Any]:
    board = await source.sprint()
    return {**board, "sprint": {**board["sprint"], "id": sprint_id}}


@api.route("/api/v1/board/raw/<int:board_id>/task", methods="post")
async def create_task(board_id: int) -> dict[str, Any]:
    task = await read_task()
    row = await source.task()
    response.status = 201
    return {**row, "board": board_id, **task}


@app.route("/api/v1/board/raw/<int:board_id>/task", methods="put")
async def update_task(board_id: int) -> str:
    await source.save_task(await read_task())
    response.status = 204
    return ""


async def read_task() -> dict[str, Any]:
    """The fields of a task; whatever else was sent is ignored."""
    try:
        body = await request.body_params
    except (TypeError, ValueError):  # JSON, but no object
        abort(400, "The body is not a task.")
    task = {field: body[field] for field in TASK_FIELDS}
    if None in task.values():  # what body_params has for a field that was not sent
        abort(400, "The body is not a task.")
    return task
