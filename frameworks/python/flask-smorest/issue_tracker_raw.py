from typing import Any

from flask import request
from flask.views import MethodView
from flask_smorest import Blueprint, abort

from shared.blocking_source import TASK_FIELDS, source

blp = Blueprint("raw", __name__, url_prefix="/api/v1", description="The issue tracker without schemas")


@blp.route("/userinfo/raw/<int:user_id>")
class UserInfo(MethodView):
    @blp.response(200)
    def get(self, user_id: int) -> dict[str, Any]:
        """A user"""
        user = source.user()
        return {**user, "sub": f"{user['sub']}-{user_id}"}


@blp.route("/sprint/raw/<int:sprint_id>")
class Sprint(MethodView):
    @blp.response(200)
    def get(self, sprint_id: int) -> dict[str, Any]:
        """A sprint with its issues"""
        board = source.sprint()
        return {**board, "sprint": {**board["sprint"], "id": sprint_id}}


@blp.route("/board/raw/<int:board_id>/task")
class Tasks(MethodView):
    @blp.response(201)
    def post(self, board_id: int) -> dict[str, Any]:
        """Create a task"""
        task = read_task()
        row = source.task()
        return {**row, "board": board_id, **task}

    @blp.response(204)
    def put(self, board_id: int) -> None:
        """Update a task"""
        source.save_task(read_task())


def read_task() -> dict[str, Any]:
    """The fields of a task; whatever else was sent is ignored."""
    body = request.get_json()
    try:
        return {field: body[field] for field in TASK_FIELDS}
    except (TypeError, KeyError):
        abort(400, message="The body is not a task.")
