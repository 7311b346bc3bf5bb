from sanic import HTTPResponse, Request, Sanic, json, text
from sanic_ext.extensions.openapi.extension import OpenAPIExtension

import issue_tracker_orjson
import issue_tracker_pydantic
import issue_tracker_raw
import registry
import workload

app = Sanic("restbench")
# Besides @validate, only OpenAPI is used of Sanic Extensions, not its CORS and injection.
app.extend(extensions=[OpenAPIExtension], built_in_extensions=False)


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
app.blueprint(registry.blueprint)
