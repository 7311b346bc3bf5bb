from quart import Blueprint
from quart_schema import validate_request, validate_response

from shared.pydantic_models import Board, Task, TaskIn, User
from shared.source import typed_source

blueprint = Blueprint("issue_tracker_pydantic", __name__, url_prefix="/api/v1")


@blueprint.get("/userinfo/pydantic/<int:user_id>")
@validate_response(User)
async def userinfo(user_id: int) -> User:
    user = await typed_source.user()
    user.sub = f"{user.sub}-{user_id}"
    return User.model_validate(user)


@blueprint.get("/sprint/pydantic/<int:sprint_id>")
@validate_response(Board)
async def sprint(sprint_id: int) -> Board:
    board = await typed_source.sprint()
    board.sprint.id = sprint_id
    return Board.model_validate(board)


@blueprint.post("/board/pydantic/<int:board_id>/task")
@validate_request(TaskIn)
@validate_response(Task, 201)
async def create_task(board_id: int, data: TaskIn) -> tuple[Task, int]:
    row = await typed_source.task()
    return Task(board=board_id, **vars(row), **dict(data)), 201


@blueprint.put("/board/pydantic/<int:board_id>/task")
@validate_request(TaskIn)
async def update_task(board_id: int, data: TaskIn) -> tuple[str, int]:
    await typed_source.save_task(data)
    return "", 204
