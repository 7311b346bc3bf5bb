from typing import Any

import orjson
from blacksheep import Content, Request, Response, no_content
from blacksheep.exceptions import BadRequest

from issue_tracker_raw import task_of
from shared.source import source


async def userinfo(user_id: int) -> Response:
    user = await source.user()
    return json({**user, "sub": f"{user['sub']}-{user_id}"})


async def sprint(sprint_id: int) -> Response:
    board = await source.sprint()
    return json({**board, "sprint": {**board["sprint"], "id": sprint_id}})


async def create_task(request: Request, board_id: int) -> Response:
    task = await read_task(request)
    row = await source.task()
    return json({**row, "board": board_id, **task}, 201)


async def update_task(request: Request, board_id: int) -> Response:
    await source.save_task(await read_task(request))
    return no_content()


async def read_task(request: Request) -> dict[str, Any]:
    try:
        return task_of(await request.json(orjson.loads))
    except UnicodeDecodeError as error:  # BlackSheep takes no care of this error
        raise BadRequest("The body is not UTF-8.") from error


def json(data: Any, status: int = 200) -> Response:
    """BlackSheep's documentation recommends such a function: its own `json` encodes text, where orjson gives bytes."""
    return Response(status, None, Content(b"application/json", orjson.dumps(data)))
