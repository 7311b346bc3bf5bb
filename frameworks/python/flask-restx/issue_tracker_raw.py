from typing import Any

from flask_restx import Namespace, Resource

from shared.blocking_source import TASK_FIELDS, source

ns = Namespace("raw", path="/api/v1")


@ns.route("/userinfo/raw/<int:user_id>")
class RawUserInfo(Resource):
    def get(self, user_id: int) -> dict[str, Any]:
        user = source.user()
        return {**user, "sub": f"{user['sub']}-{user_id}"}


@ns.route("/sprint/raw/<int:sprint_id>")
class RawSprint(Resource):
    def get(self, sprint_id: int) -> dict[str, Any]:
        board = source.sprint()
        return {**board, "sprint": {**board["sprint"], "id": sprint_id}}


@ns.route("/board/raw/<int:board_id>/task")
class RawTasks(Resource):
    def post(self, board_id: int) -> tuple[dict[str, Any], int]:
        task = read_task()
        row = source.task()
        return {**row, "board": board_id, **task}, 201

    def put(self, board_id: int) -> tuple[str, int]:
        source.save_task(read_task())
        return "", 204


def read_task() -> dict[str, Any]:
    """The fields of a task; whatever else was sent is ignored."""
    body = ns.payload
    try:
        return {field: body[field] for field in TASK_FIELDS}
    except (TypeError, KeyError):
        ns.abort(400, "The body is not a task.")
