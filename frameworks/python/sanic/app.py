from sanic import HTTPResponse, Request, Sanic, json, text

import issue_tracker_pydantic
import issue_tracker_raw
import workload

app = Sanic("restbench")
app.config.AUTO_EXTEND = False  # only @validate is used of Sanic Extensions, not its CORS, injection and OpenAPI


@app.get("/hello_world")
async def hello_world(request: Request) -> HTTPResponse:
    return text("Hello World")


async def read_part(request: Request, part: int) -> HTTPResponse:
    return json({"part": part})


for method in ("GET", "POST", "PUT"):
    for number in range(10):
        name = f"route-{method.lower()}-{number}"
        app.add_route(read_part, f"/{name}/<part:int>", methods=[method], name=name)

app.blueprint(issue_tracker_raw.blueprint)
app.blueprint(issue_tracker_pydantic.blueprint)
app.blueprint(workload.blueprint)
