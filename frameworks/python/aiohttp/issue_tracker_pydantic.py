from aiohttp import web
from aiohttp_pydantic.decorator import inject_params
from aiohttp_pydantic.oas.typing import r200, r201, r204

from shared.pydantic_models import Board, Model, Task, TaskIn, User
from shared.source import typed_source

routes = web.RouteTableDef()


@routes.get(r"/api/v1/userinfo/pydantic/{user_id:\d+}")
@inject_params
async def userinfo(user_id: int, /) -> r200[User]:
    user = await typed_source.user()
    user.sub = f"{user.sub}-{user_id}"
    return json_response(User.model_validate(user))


@routes.get(r"/api/v1/sprint/pydantic/{sprint_id:\d+}")
@inject_params
async def sprint(sprint_id: int, /) -> r200[Board]:
    board = await typed_source.sprint()
    board.sprint.id = sprint_id
    return json_response(Board.model_validate(board))


@routes.post(r"/api/v1/board/pydantic/{board_id:\d+}/task")
@inject_params
async def create_task(board_id: int, /, task: TaskIn) -> r201[Task]:
    row = await typed_source.task()
    return json_response(Task(board=board_id, **vars(row), **dict(task)), 201)


@routes.put(r"/api/v1/board/pydantic/{board_id:\d+}/task")
@inject_params
async def update_task(board_id: int, /, task: TaskIn) -> r204:
    await typed_source.save_task(task)
    return web.Response(status=204)


def json_response(answer: Model, status: int = 200) -> web.Response:
    return web.json_response(answer.model_dump(mode="json", exclude_none=True), status=status)
