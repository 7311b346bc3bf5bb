"""Routes of its own, as Eve is a Flask app; bodies are read and answers rendered by Eve."""

from typing import Any

from eve.methods.common import payload
from eve.render import send_response
from flask import Blueprint, Response, abort

from shared.blocking_source import TASK_FIELDS, source

blueprint = Blueprint("issue_tracker_raw", __name__, url_prefix="/api/v1")


@blueprint.get("/userinfo/raw/<int:user_id>")
def userinfo(user_id: int) -> Response:
    user = source.user()
    return send_response(None, ({**user, "sub": f"{user['sub']}-{user_id}"},))


@blueprint.get("/sprint/raw/<int:sprint_id>")
def sprint(sprint_id: int) -> Response:
    board = source.sprint()
    return send_response(None, ({**board, "sprint": {**board["sprint"], "id": sprint_id}},))


@blueprint.post("/board/raw/<int:board_id>/task")
def create_task(board_id: int) -> Response:
    task = read_task()
    row = source.task()
    return send_response(None, ({**row, "board": board_id, **task}, None, None, 201))


@blueprint.put("/board/raw/<int:board_id>/task")
def update_task(board_id: int) -> tuple[str, int]:
    source.save_task(read_task())
    return "", 204


def read_task() -> dict[str, Any]:
    """The fields of a task; whatever else was sent is ignored."""
    body = payload()
    try:
        return {field: body[field] for field in TASK_FIELDS}
    except (TypeError, KeyError):
        abort(400, "The body is not a task.")
