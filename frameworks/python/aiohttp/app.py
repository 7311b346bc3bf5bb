from aiohttp import web
from aiohttp.typedefs import Handler
from aiohttp_pydantic import oas

import issue_tracker_orjson
import issue_tracker_pydantic
import issue_tracker_raw
import registry
import workload
import workload_pydantic


async def hello_world(request: web.Request) -> web.Response:
    return web.Response(text="Hello World")


async def read_part(request: web.Request) -> web.Response:
    return web.json_response({"part": int(request.match_info["part"])})


@web.middleware
async def refuse_other_encodings(request: web.Request, handler: Handler) -> web.StreamResponse:
    """aiohttp decodes a body before aiohttp-pydantic parses it, and neither takes care of this error."""
    try:
        return await handler(request)
    except UnicodeDecodeError as error:
        raise web.HTTPBadRequest(text="The body is not UTF-8.") from error


app = web.Application(middlewares=[refuse_other_encodings])
app.router.add_get("/hello_world", hello_world)
for method in ("GET", "POST", "PUT"):
    for number in range(10):
        app.router.add_route(method, rf"/route-{method.lower()}-{number}/{{part:\d+}}", read_part)
app.add_routes(issue_tracker_raw.routes)
app.add_routes(issue_tracker_orjson.routes)
app.add_routes(issue_tracker_pydantic.routes)
app.add_routes(workload.routes)
app.add_routes(workload_pydantic.routes)
app.add_routes(registry.routes)
app.cleanup_ctx.append(registry.solr_session)
oas.setup(app, title_spec="restbench")
