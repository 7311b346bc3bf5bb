from aiohttp import web
from aiohttp_pydantic import oas

import issue_tracker_orjson
import issue_tracker_raw
import registry
import workload


async def part(request: web.Request) -> web.Response:
    return web.json_response({"part": int(request.match_info["part"])})


async def hello_world(request: web.Request) -> web.Response:
    return web.Response(text="Hello World")


app = web.Application()
app.router.add_get("/hello_world", hello_world)
for method in ("GET", "POST", "PUT"):
    for number in range(10):
        app.router.add_route(method, rf"/route-{method.lower()}-{number}/{{part:\d+}}", part)
app.add_routes(issue_tracker_raw.routes)
app.add_routes(issue_tracker_orjson.routes)
app.add_routes(workload.routes)
app.add_routes(registry.routes)
app.cleanup_ctx.append(registry.solr_session)
oas.setup(app, title_spec="restbench")
