from sanic import HTTPResponse, Request, Sanic, json, text
from sanic_ext.exceptions import ValidationError

import issue_tracker_orjson
import issue_tracker_pydantic
import issue_tracker_raw
import registry_msgspec
import registry_pydantic
import workload
import workload_pydantic
from shared.solr import SolrUnavailable, solr

app = Sanic("restbench")


@app.before_server_start
async def open_solr(app: Sanic) -> None:
    await solr.open()


@app.after_server_stop
async def close_solr(app: Sanic) -> None:
    await solr.close()


@app.exception(ValidationError)
async def request_is_invalid(request: Request, error: ValidationError) -> HTTPResponse:
    """Left to Sanic, each request that is refused would be logged with a traceback."""
    return json({"message": str(error)}, status=400)


@app.exception(SolrUnavailable)
async def solr_is_unavailable(request: Request, error: SolrUnavailable) -> HTTPResponse:
    return json({"message": "Solr does not answer"}, status=503)


@app.get("/hello_world")
async def hello_world(request: Request) -> HTTPResponse:
    return text("Hello World")


for method in ("GET", "POST", "PUT"):
    for number in range(10):
        name = f"route-{method.lower()}-{number}"

        # A function each: sanic-ext documents functions, and one for all would give all the same operationId.
        @app.route(f"/{name}/<part:int>", methods=[method], name=name)
        async def read_part(request: Request, part: int) -> HTTPResponse:
            return json({"part": part})


app.blueprint(issue_tracker_raw.blueprint)
app.blueprint(issue_tracker_orjson.blueprint)
app.blueprint(issue_tracker_pydantic.blueprint)
app.blueprint(workload.blueprint)
app.blueprint(workload_pydantic.blueprint)
app.blueprint(registry_msgspec.blueprint)
app.blueprint(registry_pydantic.blueprint)
