import msgspec
from litestar import Router, get, post, put
from litestar.params import FromPath, JSONBody
from litestar.status_codes import HTTP_204_NO_CONTENT
from msgspec import structs

from shared.msgspec_models import Board, Task, TaskIn, User
from shared.source import typed_source


@get("/userinfo/msgspec/{user_id:int}")
async def userinfo(user_id: FromPath[int]) -> User:
    user = await typed_source.user()
    user.sub = f"{user.sub}-{user_id}"
    return msgspec.convert(user, User, from_attributes=True)


@get("/sprint/msgspec/{sprint_id:int}")
async def sprint(sprint_id: FromPath[int]) -> Board:
    board = await typed_source.sprint()
    board.sprint.id = sprint_id
    return msgspec.convert(board, Board, from_attributes=True)


@post("/board/msgspec/{board_id:int}/task")
async def create_task(board_id: FromPath[int], data: JSONBody[TaskIn]) -> Task:
    row = await typed_source.task()
    return msgspec.convert({**vars(row), **structs.asdict(data), "board": board_id}, Task, from_attributes=True)


@put("/board/msgspec/{board_id:int}/task", status_code=HTTP_204_NO_CONTENT)
async def update_task(board_id: FromPath[int], data: JSONBody[TaskIn]) -> None:
    await typed_source.save_task(data)


router = Router("/api/v1", route_handlers=[userinfo, sprint, create_task, update_task])
