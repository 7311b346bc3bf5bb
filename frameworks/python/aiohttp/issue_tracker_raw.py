import json
from collections.abc import Callable
from typing import Any

from aiohttp import web

from shared.source import TASK_FIELDS, source

routes = web.RouteTableDef()


@routes.get(r"/api/v1/userinfo/raw/{user_id:\d+}")
async def userinfo(request: web.Request) -> web.Response:
    user = await source.user()
    return web.json_response({**user, "sub": f"{user['sub']}-{int(request.match_info['user_id'])}"})


@routes.get(r"/api/v1/sprint/raw/{sprint_id:\d+}")
async def sprint(request: web.Request) -> web.Response:
    board = await source.sprint()
    return web.json_response({**board, "sprint": {**board["sprint"], "id": int(request.match_info["sprint_id"])}})


@routes.post(r"/api/v1/board/raw/{board_id:\d+}/task")
async def create_task(request: web.Request) -> web.Response:
    task = await read_task(request)
    row = await source.task()
    return web.json_response({**row, "board": int(request.match_info["board_id"]), **task}, status=201)


@routes.put(r"/api/v1/board/raw/{board_id:\d+}/task")
async def update_task(request: web.Request) -> web.Response:
    await source.save_task(await read_task(request))
    return web.Response(status=204)


async def read_task(request: web.Request, loads: Callable[[str], Any] = json.loads) -> dict[str, Any]:
    """The fields of a task; whatever else was sent is ignored. The variant orjson hands its own `loads`."""
    try:
        body = await request.json(loads=loads)
        return {field: body[field] for field in TASK_FIELDS}
    except (ValueError, TypeError, LookupError) as error:  # an unknown charset is a LookupError
        raise web.HTTPBadRequest(text="The body is not a task.") from error
