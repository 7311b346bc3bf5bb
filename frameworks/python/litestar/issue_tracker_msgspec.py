from litestar import Router, get, post, put
from litestar.params import FromPath, JSONBody
from litestar.status_codes import HTTP_204_NO_CONTENT

from shared.msgspec_models import Board, Task, TaskIn, User
from shared.source import source


@get("/userinfo/msgspec/{user_id:int}")
async def userinfo(user_id: FromPath[int]) -> User:
    return User.from_row(await source.user(), user_id)


@get("/sprint/msgspec/{sprint_id:int}")
async def sprint(sprint_id: FromPath[int]) -> Board:
    return Board.from_row(await source.sprint(), sprint_id)


@post("/board/msgspec/{board_id:int}/task")
async def create_task(board_id: FromPath[int], data: JSONBody[TaskIn]) -> Task:
    return Task.from_row(await source.task(), board_id, data)


@put("/board/msgspec/{board_id:int}/task", status_code=HTTP_204_NO_CONTENT)
async def update_task(board_id: FromPath[int], data: JSONBody[TaskIn]) -> None:
    await source.save_task(data)


router = Router("/api/v1", route_handlers=[userinfo, sprint, create_task, update_task])
