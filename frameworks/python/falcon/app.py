from collections.abc import Mapping
from typing import Any

import falcon.asgi
from falcon.asgi import Request, Response

import issue_tracker_msgspec
import issue_tracker_orjson
import issue_tracker_raw
import registry
import workload
import workload_msgspec
from shared.solr import SolrUnavailable, solr


class SolrSession:
    """Middleware that Falcon calls when the server starts and stops."""

    async def process_startup(self, scope: Mapping[str, Any], event: Mapping[str, Any]) -> None:
        await solr.open()

    async def process_shutdown(self, scope: Mapping[str, Any], event: Mapping[str, Any]) -> None:
        await solr.close()


class HelloWorld:
    async def on_get(self, req: Request, resp: Response) -> None:
        resp.content_type = falcon.MEDIA_TEXT
        resp.text = "Hello World"


class Part:
    """Each of its routes has one of its methods, chosen by the route's suffix."""

    async def on_get_read(self, req: Request, resp: Response, part: int) -> None:
        resp.media = {"part": part}

    async def on_post_create(self, req: Request, resp: Response, part: int) -> None:
        resp.media = {"part": part}

    async def on_put_replace(self, req: Request, resp: Response, part: int) -> None:
        resp.media = {"part": part}


app = falcon.asgi.App(middleware=SolrSession())
app.add_error_handler(SolrUnavailable, registry.solr_is_unavailable)
app.add_route("/hello_world", HelloWorld())

for method, suffix in {"get": "read", "post": "create", "put": "replace"}.items():
    for number in range(10):
        app.add_route(f"/route-{method}-{number}/{{part:int}}", Part(), suffix=suffix)

for variant, tracker in {
    "raw": issue_tracker_raw,
    "orjson": issue_tracker_orjson,
    "msgspec": issue_tracker_msgspec,
}.items():
    app.add_route(f"/api/v1/userinfo/{variant}/{{user_id:int}}", tracker.UserInfo())
    app.add_route(f"/api/v1/sprint/{variant}/{{sprint_id:int}}", tracker.Sprint())
    app.add_route(f"/api/v1/board/{variant}/{{board_id:int}}/task", tracker.Tasks())

app.add_route("/test", workload.Queue())
app.add_route("/test/simple/raw", workload.Simple())
app.add_route("/test/timed/raw", workload.Timed())
app.add_route("/test/simple/msgspec", workload_msgspec.Simple())
app.add_route("/test/timed/msgspec", workload_msgspec.Timed())
app.add_route("/test/bcrypt", workload.Bcrypt())
app.add_route("/test/status", workload.Status())
app.add_route("/test/labels/{label}", workload.Label())

app.add_route("/json_serialization/msgspec", registry.JsonSerialization())
app.add_route("/anonymization/msgspec", registry.Anonymization())
registry.spec.register(app)  # last: it describes the routes that are there
