from collections.abc import AsyncIterator

from blacksheep import Application, Request, Response, json, text

import issue_tracker_orjson
import issue_tracker_pydantic
import issue_tracker_raw
import registry
import workload
import workload_pydantic
from shared.solr import SolrUnavailable, solr


def hello_world() -> Response:
    return text("Hello World")


def read_part(part: int) -> Response:
    return json({"part": part})


app = Application()


@app.lifespan
async def connect_to_solr() -> AsyncIterator[None]:
    async with solr:
        yield


@app.exception_handler(SolrUnavailable)
async def solr_is_unavailable(app: Application, request: Request, error: SolrUnavailable) -> Response:
    return json(registry.Problem(detail="Solr does not answer"), 503)


app.router.add_get("/hello_world", hello_world)

for method in ("GET", "POST", "PUT"):
    for number in range(10):
        app.router.add(method, f"/route-{method.lower()}-{number}/{{int:part}}", read_part)

for variant, tracker in {
    "raw": issue_tracker_raw,
    "orjson": issue_tracker_orjson,
    "pydantic": issue_tracker_pydantic,
}.items():
    app.router.add_get(f"/api/v1/userinfo/{variant}/{{int:user_id}}", tracker.userinfo)
    app.router.add_get(f"/api/v1/sprint/{variant}/{{int:sprint_id}}", tracker.sprint)
    app.router.add_post(f"/api/v1/board/{variant}/{{int:board_id}}/task", tracker.create_task)
    app.router.add_put(f"/api/v1/board/{variant}/{{int:board_id}}/task", tracker.update_task)

app.router.add_post("/test", workload.queue)
app.router.add_post("/test/simple/raw", workload.simple)
app.router.add_post("/test/timed/raw", workload.timed)
app.router.add_post("/test/simple/pydantic", workload_pydantic.simple)
app.router.add_post("/test/timed/pydantic", workload_pydantic.timed)
app.router.add_post("/test/bcrypt", workload.bcrypt)
app.router.add_get("/test/status", workload.status)
app.router.add_get("/test/labels/{label}", workload.get_label)

app.router.add_get("/json_serialization/pydantic", registry.json_serialization)
app.router.add_get("/anonymization/pydantic", registry.anonymization)
registry.docs.bind_app(app)
