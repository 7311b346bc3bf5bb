from collections.abc import AsyncIterator

from quart import Quart, Response
from quart_schema import QuartSchema

import issue_tracker_pydantic
import issue_tracker_raw
import registry
import workload
import workload_pydantic
from shared.solr import solr

app = Quart(__name__)
# A field without a value is left out.
QuartSchema(app, pydantic_dump_options={"exclude_none": True}, openapi_provider_class=registry.RegistryProvider)


@app.while_serving
async def solr_session() -> AsyncIterator[None]:
    async with solr:
        yield


@app.errorhandler(UnicodeDecodeError)
async def not_utf8(error: UnicodeDecodeError) -> tuple[dict[str, str], int]:
    """Quart decodes a body before it parses it, and takes no care of this error."""
    return {"error": "The body is not UTF-8."}, 400


@app.get("/hello_world")
async def hello_world() -> Response:
    return Response("Hello World", mimetype="text/plain")


async def read_part(part: int) -> dict[str, int]:
    return {"part": part}


for method in ("GET", "POST", "PUT"):
    for number in range(10):
        app.add_url_rule(f"/route-{method.lower()}-{number}/<int:part>", view_func=read_part, methods=[method])

app.register_blueprint(issue_tracker_raw.blueprint)
app.register_blueprint(issue_tracker_pydantic.blueprint)
app.register_blueprint(workload.blueprint)
app.register_blueprint(workload_pydantic.blueprint)
app.register_blueprint(registry.blueprint)
