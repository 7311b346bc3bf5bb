from sanic import Blueprint, HTTPResponse, Request, empty, json
from sanic_ext import validate

from shared.pydantic_models import Board, Task, TaskIn, User
from shared.source import typed_source

blueprint = Blueprint("issue_tracker_pydantic", url_prefix="/api/v1")


@blueprint.get("/userinfo/pydantic/<user_id:int>")
async def userinfo(request: Request, user_id: int) -> HTTPResponse:
    user = await typed_source.user()
    user.sub = f"{user.sub}-{user_id}"
    return json(User.model_validate(user).model_dump(mode="json"))


@blueprint.get("/sprint/pydantic/<sprint_id:int>")
async def sprint(request: Request, sprint_id: int) -> HTTPResponse:
    board = await typed_source.sprint()
    board.sprint.id = sprint_id
    return json(Board.model_validate(board).model_dump(mode="json", exclude_none=True))


@blueprint.post("/board/pydantic/<board_id:int>/task")
@validate(json=TaskIn)
async def create_task(request: Request, board_id: int, body: TaskIn) -> HTTPResponse:
    row = await typed_source.task()
    task = Task(board=board_id, **vars(row), **dict(body))
    return json(task.model_dump(mode="json"), status=201)


@blueprint.put("/board/pydantic/<board_id:int>/task")
@validate(json=TaskIn)
async def update_task(request: Request, board_id: int, body: TaskIn) -> HTTPResponse:
    await typed_source.save_task(body)
    return empty()
