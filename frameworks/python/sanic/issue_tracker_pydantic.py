from sanic import Blueprint, HTTPResponse, Request, empty, json
from sanic_ext import validate

from shared.pydantic_models import Board, Task, TaskIn, User
from shared.source import source

blueprint = Blueprint("issue_tracker_pydantic", url_prefix="/api/v1")


@blueprint.get("/userinfo/pydantic/<user_id:int>")
async def userinfo(request: Request, user_id: int) -> HTTPResponse:
    user = User.from_row(await source.user(), user_id)
    return json(user.model_dump(mode="json"))


@blueprint.get("/sprint/pydantic/<sprint_id:int>")
async def sprint(request: Request, sprint_id: int) -> HTTPResponse:
    board = Board.from_row(await source.sprint(), sprint_id)
    return json(board.model_dump(mode="json", exclude_none=True))


@blueprint.post("/board/pydantic/<board_id:int>/task")
@validate(json=TaskIn)
async def create_task(request: Request, board_id: int, body: TaskIn) -> HTTPResponse:
    task = Task.from_row(await source.task(), board_id, body)
    return json(task.model_dump(mode="json"), status=201)


@blueprint.put("/board/pydantic/<board_id:int>/task")
@validate(json=TaskIn)
async def update_task(request: Request, board_id: int, body: TaskIn) -> HTTPResponse:
    await source.save_task(body)
    return empty()
