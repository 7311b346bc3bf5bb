from dataclasses import asdict
from typing import Any

from litestar import Router, get, post, put
from litestar.params import FromPath, JSONBody
from litestar.status_codes import HTTP_204_NO_CONTENT

from shared.dataclasses_models import Board, Task, TaskIn, User
from shared.source import source


@get("/userinfo/dataclasses/{user_id:int}")
async def userinfo(user_id: FromPath[int]) -> User:
    return User.from_row(await source.user(), user_id)


@get("/sprint/dataclasses/{sprint_id:int}")
async def sprint(sprint_id: FromPath[int]) -> dict[str, Any]:
    board = Board.from_row(await source.sprint(), sprint_id)
    return asdict(board, dict_factory=without_none)  # Litestar writes the None of a dataclass as null


@post("/board/dataclasses/{board_id:int}/task")
async def create_task(board_id: FromPath[int], data: JSONBody[TaskIn]) -> Task:
    return Task.from_row(await source.task(), board_id, data)


@put("/board/dataclasses/{board_id:int}/task", status_code=HTTP_204_NO_CONTENT)
async def update_task(board_id: FromPath[int], data: JSONBody[TaskIn]) -> None:
    await source.save_task(data)


def without_none(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    return {name: value for name, value in fields if value is not None}


router = Router("/api/v1", route_handlers=[userinfo, sprint, create_task, update_task])
