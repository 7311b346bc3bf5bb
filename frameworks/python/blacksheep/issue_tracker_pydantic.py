from blacksheep import FromJSON, Response, created, json, no_content

from shared.pydantic_models import Board, Task, TaskIn, User
from shared.source import source


async def userinfo(user_id: int) -> Response:
    return json(User.from_row(await source.user(), user_id))


async def sprint(sprint_id: int) -> Response:
    board = Board.from_row(await source.sprint(), sprint_id)
    return json(board.model_dump(mode="json", exclude_none=True))


async def create_task(board_id: int, data: FromJSON[TaskIn]) -> Response:
    return created(Task.from_row(await source.task(), board_id, data.value))


async def update_task(board_id: int, data: FromJSON[TaskIn]) -> Response:
    await source.save_task(data.value)
    return no_content()
