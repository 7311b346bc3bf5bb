from quart import Quart, Response, jsonify
from quart_schema import QuartSchema

import issue_tracker_pydantic
import issue_tracker_raw
import workload
import workload_pydantic

app = Quart(__name__)
# Quart-Schema wraps the whole app, so it looks at the answers of all routes.
QuartSchema(app, pydantic_dump_options={"exclude_none": True})


@app.errorhandler(UnicodeDecodeError)
async def not_utf8(error: UnicodeDecodeError) -> tuple[Response, int]:
    """Quart decodes a body before it parses it, and takes no care of this error."""
    return jsonify(error="The body is not UTF-8."), 400


@app.get("/hello_world")
async def hello_world() -> Response:
    return Response("Hello World", mimetype="text/plain")


async def read_part(part: int) -> Response:
    return jsonify(part=part)


for method in ("GET", "POST", "PUT"):
    for number in range(10):
        app.add_url_rule(f"/route-{method.lower()}-{number}/<int:part>", view_func=read_part, methods=[method])

app.register_blueprint(issue_tracker_raw.blueprint)
app.register_blueprint(issue_tracker_pydantic.blueprint)
app.register_blueprint(workload.blueprint)
app.register_blueprint(workload_pydantic.blueprint)
