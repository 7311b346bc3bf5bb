from typing import Any

from flask.views import MethodView
from flask_smorest import Blueprint

from shared.blocking_source import typed_source
from shared.dataclasses_models import Board, Task, User
from shared.marshmallow_schemas import BoardSchema, TaskInSchema, TaskSchema, UserSchema

blp = Blueprint("marshmallow", __name__, url_prefix="/api/v1", description="The issue tracker with schemas")


@blp.route("/userinfo/marshmallow/<int:user_id>")
class UserInfo(MethodView):
    @blp.response(200, UserSchema)
    def get(self, user_id: int) -> User:
        """A user"""
        user = typed_source.user()
        user.sub = f"{user.sub}-{user_id}"
        return user


@blp.route("/sprint/marshmallow/<int:sprint_id>")
class Sprint(MethodView):
    @blp.response(200, BoardSchema)
    def get(self, sprint_id: int) -> Board:
        """A sprint with its issues"""
        board = typed_source.sprint()
        board.sprint.id = sprint_id
        return board


@blp.route("/board/marshmallow/<int:board_id>/task")
class Tasks(MethodView):
    @blp.arguments(TaskInSchema)
    @blp.response(201, TaskSchema)
    def post(self, task: dict[str, Any], board_id: int) -> Task:
        """Create a task"""
        return Task(board=board_id, **vars(typed_source.task()), **task)

    @blp.arguments(TaskInSchema)
    @blp.response(204)
    def put(self, task: dict[str, Any], board_id: int) -> None:
        """Update a task"""
        typed_source.save_task(task)
