import falcon
from falcon import Request, Response

import issue_tracker_msgspec
import issue_tracker_orjson
import issue_tracker_raw
import workload
import workload_msgspec


class HelloWorld:
    def on_get(self, req: Request, resp: Response) -> None:
        resp.content_type = falcon.MEDIA_TEXT
        resp.text = "Hello World"


class Part:
    """Each of its routes has one of its methods, chosen by the route's suffix."""

    def on_get_read(self, req: Request, resp: Response, part: int) -> None:
        resp.media = {"part": part}

    def on_post_create(self, req: Request, resp: Response, part: int) -> None:
        resp.media = {"part": part}

    def on_put_replace(self, req: Request, resp: Response, part: int) -> None:
        resp.media = {"part": part}


app = falcon.App()
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
