from typing import Any

from litestar import Router, get, post, put
from litestar.exceptions import ValidationException
from litestar.params import FromPath, JSONBody
from litestar.status_codes import HTTP_204_NO_CONTENT

from shared.source import TASK_FIELDS, source


@get("/userinfo/raw/{user_id:int}")
async def userinfo(user_id: FromPath[int]) -> dict[str, Any]:
    user = await source.user()
    return {**user, "sub": f"{user['sub']}-{user_id}"}


@get("/sprint/raw/{sprint_id:int}")
async def sprint(sprint_id: FromPath[int]) -> dict[str, Any]:
    board = await source.sprint()
    return {**board, "sprint": {**board["sprint"], "id": sprint_id}}


@post("/board/raw/{board_id:int}/task")
async def create_task(board_id: FromPath[int], data: JSONBody[dict[str, Any]]) -> dict[str, Any]:
    task = task_of(data)
    row = await source.task()
    return {**row, "board": board_id, **task}


@put("/board/raw/{board_id:int}/task", status_code=HTTP_204_NO_CONTENT)
async def update_task(board_id: FromPath[int], data: JSONBody[dict[str, Any]]) -> None:
    await source.save_task(task_of(data))


def task_of(body: dict[str, Any]) -> dict[str, Any]:
    """The fields of a task; whatever else was sent is ignored."""
    try:
        return {field: body[field] for field in TASK_FIELDS}
    except KeyError as error:
        raise ValidationException(f"{error} is missing.") from error


router = Router("/api/v1", route_handlers=[userinfo, sprint, create_task, update_task])
