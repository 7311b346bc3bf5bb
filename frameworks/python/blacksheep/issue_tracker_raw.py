from typing import Any

from blacksheep import FromJSON, Response, created, json, no_content
from blacksheep.exceptions import BadRequest

from shared.source import TASK_FIELDS, source


async def userinfo(user_id: int) -> Response:
    user = await source.user()
    return json({**user, "sub": f"{user['sub']}-{user_id}"})


async def sprint(sprint_id: int) -> Response:
    board = await source.sprint()
    return json({**board, "sprint": {**board["sprint"], "id": sprint_id}})


async def create_task(board_id: int, data: FromJSON[dict]) -> Response:
    task = task_of(data.value)
    row = await source.task()
    return created({**row, "board": board_id, **task})


async def update_task(board_id: int, data: FromJSON[dict]) -> Response:
    await source.save_task(task_of(data.value))
    return no_content()


def task_of(body: Any) -> dict[str, Any]:
    """The fields of a task; whatever else was sent is ignored."""
    try:
        return {field: body[field] for field in TASK_FIELDS}
    except (TypeError, KeyError) as error:
        raise BadRequest("The body is not a task.") from error
