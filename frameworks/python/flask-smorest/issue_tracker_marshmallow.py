from flask.views import MethodView
from flask_smorest import Blueprint

from shared.blocking_source import source
from shared.dataclasses_models import Board, Task, TaskIn, User
from shared.marshmallow_schemas import BoardSchema, TaskInSchema, TaskSchema, UserSchema

blp = Blueprint("marshmallow", __name__, url_prefix="/api/v1", description="The issue tracker with schemas")


@blp.route("/userinfo/marshmallow/<int:user_id>")
class UserInfo(MethodView):
    @blp.response(200, UserSchema)
    def get(self, user_id: int) -> User:
        """A user"""
        return User.from_row(source.user(), user_id)


@blp.route("/sprint/marshmallow/<int:sprint_id>")
class Sprint(MethodView):
    @blp.response(200, BoardSchema)
    def get(self, sprint_id: int) -> Board:
        """A sprint with its issues"""
        return Board.from_row(source.sprint(), sprint_id)


@blp.route("/board/marshmallow/<int:board_id>/task")
class Tasks(MethodView):
    @blp.arguments(TaskInSchema)
    @blp.response(201, TaskSchema)
    def post(self, task: TaskIn, board_id: int) -> Task:
        """Create a task"""
        return Task.from_row(source.task(), board_id, task)

    @blp.arguments(TaskInSchema)
    @blp.response(204)
    def put(self, task: TaskIn, board_id: int) -> None:
        """Update a task"""
        source.save_task(task)
