from typing import Any

from flask import Blueprint, abort, request

from shared.blocking_source import TASK_FIELDS, source

blueprint = Blueprint("issue_tracker", __name__, url_prefix="/api/v1")


@blueprint.get("/userinfo/raw/<int:user_id>")
def userinfo(user_id: int) -> dict[str, Any]:
    user = source.user()
    return {**user, "sub": f"{user['sub']}-{user_id}"}


@blueprint.get("/sprint/raw/<int:sprint_id>")
def sprint(sprint_id: int) -> dict[str, Any]:
    board = source.sprint()
    return {**board, "sprint": {**board["sprint"], "id": sprint_id}}


@blueprint.post("/board/raw/<int:board_id>/task")
def create_task(board_id: int) -> tuple[dict[str, Any], int]:
    task = read_task()
    row = source.task()
    return {**row, "board": board_id, **task}, 201


@blueprint.put("/board/raw/<int:board_id>/task")
def update_task(board_id: int) -> tuple[str, int]:
    source.save_task(read_task())
    return "", 204


def read_task() -> dict[str, Any]:
    """The fields of a task; whatever else was sent is ignored."""
    body = request.get_json()
    try:
        return {field: body[field] for field in TASK_FIELDS}
    except (TypeError, KeyError):
        abort(400, "The body is not a task.")
