from typing import Any

from aiohttp import web
from aiohttp_pydantic import oas

import registry
import workload
from shared.source import TASK_FIELDS, source

routes = web.RouteTableDef()


async def part(request: web.Request) -> web.Response:
    return web.json_response({"part": int(request.match_info["part"])})


@routes.get(r"/api/v1/userinfo/raw/{id:\d+}")
async def userinfo(request: web.Request) -> web.Response:
    user = await source.user()
    return web.json_response({**user, "sub": f"{user['sub']}-{int(request.match_info['id'])}"})


@routes.get(r"/api/v1/sprint/raw/{id:\d+}")
async def sprint(request: web.Request) -> web.Response:
    board = await source.sprint()
    return web.json_response({**board, "sprint": {**board["sprint"], "id": int(request.match_info["id"])}})


@routes.post(r"/api/v1/board/raw/{id:\d+}/task")
async def create_task(request: web.Request) -> web.Response:
    task = await read_task(request)
    row = await source.task()
    return web.json_response({**row, "board": int(request.match_info["id"]), **task}, status=201)


@routes.put(r"/api/v1/board/raw/{id:\d+}/task")
async def update_task(request: web.Request) -> web.Response:
    await source.save_task(await read_task(request))
    return web.Response(status=204)


async def read_task(request: web.Request) -> dict[str, Any]:
    """The fields of a task; whatever else was sent is ignored."""
    try:
        body = await request.json()
        return {field: body[field] for field in TASK_FIELDS}
    except (ValueError, TypeError, LookupError) as error:  # an unknown charset is a LookupError
        raise web.HTTPBadRequest(text="The body is not a task.") from error


async def hello_world(request: web.Request) -> web.Response:
    return web.Response(text="Hello World")


app = web.Application()
app.router.add_get("/hello_world", hello_world)
for method in ("GET", "POST", "PUT"):
    for number in range(10):
        app.router.add_route(method, rf"/route-{method.lower()}-{number}/{{part:\d+}}", part)
app.add_routes(routes)
app.add_routes(workload.routes)
app.add_routes(registry.routes)
app.cleanup_ctx.append(registry.solr_session)
oas.setup(app, title_spec="restbench")
