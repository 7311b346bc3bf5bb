from emmett import App, response
from emmett.tools import ServicePipe

# In its root Emmett makes folders for languages, logs and static files: none is used, and an app writes to /tmp only.
app = App(__name__, root_path="/nonexistent")

# The routes that answer with JSON; the others are the app's own.
api = app.module(__name__, "api")
api.pipeline = [ServicePipe("json")]


@app.route("/hello_world", methods="get")
async def hello_world() -> str:
    response.headers["content-type"] = "text/plain; charset=utf-8"
    return "Hello World"


async def read_part(part: int) -> dict[str, int]:
    return {"part": part}


for method in ("get", "post", "put"):
    paths = [f"/route-{method}-{number}/<int:part>" for number in range(10)]
    api.route(paths, name=f"{method}_part", methods=method)(read_part)


# These modules add their routes to `app` and `api`, as in the package pattern of Emmett's documentation.
import issue_tracker  # noqa: E402, F401
import workload  # noqa: E402, F401
