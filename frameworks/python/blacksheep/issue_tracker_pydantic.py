from blacksheep import FromJSON, Response, created, json, no_content

from shared.pydantic_models import Board, Task, TaskIn, User
from shared.source import typed_source


async def userinfo(user_id: int) -> Response:
    user = await typed_source.user()
    user.sub = f"{user.sub}-{user_id}"
    return json(User.model_validate(user))


async def sprint(sprint_id: int) -> Response:
    board = await typed_source.sprint()
    board.sprint.id = sprint_id
    # given the model, json would write null for an issue that is assigned to nobody
    return json(Board.model_validate(board).model_dump(mode="json", exclude_none=True))


async def create_task(board_id: int, data: FromJSON[TaskIn]) -> Response:
    row = await typed_source.task()
    return created(Task(board=board_id, **vars(row), **dict(data.value)))


async def update_task(board_id: int, data: FromJSON[TaskIn]) -> Response:
    await typed_source.save_task(data.value)
    return no_content()
