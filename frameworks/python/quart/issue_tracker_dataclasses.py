"""The shared dataclasses are made Pydantic's: of standard ones, a validator is built anew for each request."""

from pydantic.dataclasses import dataclass
from quart import Blueprint
from quart_schema import validate_request, validate_response

from shared import dataclasses_models as models
from shared.source import source

Board = dataclass(models.Board)
Task = dataclass(models.Task)
TaskIn = dataclass(models.TaskIn)
User = dataclass(models.User)

blueprint = Blueprint("issue_tracker_dataclasses", __name__, url_prefix="/api/v1")


@blueprint.get("/userinfo/dataclasses/<int:user_id>")
@validate_response(User)
async def userinfo(user_id: int) -> User:
    return User.from_row(await source.user(), user_id)


@blueprint.get("/sprint/dataclasses/<int:sprint_id>")
@validate_response(Board)
async def sprint(sprint_id: int) -> Board:
    return Board.from_row(await source.sprint(), sprint_id)


@blueprint.post("/board/dataclasses/<int:board_id>/task")
@validate_request(TaskIn)
@validate_response(Task, 201)
async def create_task(board_id: int, data: TaskIn) -> tuple[Task, int]:
    return Task.from_row(await source.task(), board_id, data), 201


@blueprint.put("/board/dataclasses/<int:board_id>/task")
@validate_request(TaskIn)
async def update_task(board_id: int, data: TaskIn) -> tuple[str, int]:
    await source.save_task(data)
    return "", 204
