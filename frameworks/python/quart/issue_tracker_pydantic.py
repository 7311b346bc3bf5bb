from quart import Blueprint
from quart_schema import validate_request, validate_response

from shared.pydantic_models import Board, Task, TaskIn, User
from shared.source import source

blueprint = Blueprint("issue_tracker_pydantic", __name__, url_prefix="/api/v1")


@blueprint.get("/userinfo/pydantic/<int:user_id>")
@validate_response(User)
async def userinfo(user_id: int) -> User:
    return User.from_row(await source.user(), user_id)


@blueprint.get("/sprint/pydantic/<int:sprint_id>")
@validate_response(Board)
async def sprint(sprint_id: int) -> Board:
    return Board.from_row(await source.sprint(), sprint_id)


@blueprint.post("/board/pydantic/<int:board_id>/task")
@validate_request(TaskIn)
@validate_response(Task, 201)
async def create_task(board_id: int, data: TaskIn) -> tuple[Task, int]:
    return Task.from_row(await source.task(), board_id, data), 201


@blueprint.put("/board/pydantic/<int:board_id>/task")
@validate_request(TaskIn)
async def update_task(board_id: int, data: TaskIn) -> tuple[str, int]:
    await source.save_task(data)
    return "", 204
