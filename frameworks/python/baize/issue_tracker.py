from typing import Any

from baize.asgi import JSONResponse, Request, Response
from baize.exceptions import abort

from shared.source import TASK_FIELDS, source


async def userinfo(request: Request) -> Response:
    user = await source.user()
    return JSONResponse({**user, "sub": f"{user['sub']}-{request.path_params['user_id']}"})


async def sprint(request: Request) -> Response:
    board = await source.sprint()
    return JSONResponse({**board, "sprint": {**board["sprint"], "id": request.path_params["sprint_id"]}})


async def create_task(request: Request) -> Response:
    task = await read_task(request)
    row = await source.task()
    return JSONResponse({**row, "board": request.path_params["board_id"], **task}, 201)


async def update_task(request: Request) -> Response:
    await source.save_task(await read_task(request))
    return Response(204)


async def read_task(request: Request) -> dict[str, Any]:
    """The fields of a task; whatever else was sent is ignored."""
    try:
        body = await request.json
        return {field: body[field] for field in TASK_FIELDS}
    except (ValueError, TypeError, LookupError):  # an unknown charset is a LookupError
        abort(400, content="The body is not a task.")
