from typing import Any

from quart import Blueprint, abort, request

from shared.source import TASK_FIELDS, source

blueprint = Blueprint("issue_tracker_raw", __name__, url_prefix="/api/v1")


@blueprint.get("/userinfo/raw/<int:user_id>")
async def userinfo(user_id: int) -> dict[str, Any]:
    user = await source.user()
    return {**user, "sub": f"{user['sub']}-{user_id}"}


@blueprint.get("/sprint/raw/<int:sprint_id>")
async def sprint(sprint_id: int) -> dict[str, Any]:
    board = await source.sprint()
    return {**board, "sprint": {**board["sprint"], "id": sprint_id}}


@blueprint.post("/board/raw/<int:board_id>/task")
async def create_task(board_id: int) -> tuple[dict[str, Any], int]:
    task = await read_task()
    row = await source.task()
    return {**row, "board": board_id, **task}, 201


@blueprint.put("/board/raw/<int:board_id>/task")
async def update_task(board_id: int) -> tuple[str, int]:
    await source.save_task(await read_task())
    return "", 204


async def read_task() -> dict[str, Any]:
    """The fields of a task; whatever else was sent is ignored."""
    body = await request.get_json()
    try:
        return {field: body[field] for field in TASK_FIELDS}
    except (TypeError, KeyError):
        abort(400, "The body is not a task.")
