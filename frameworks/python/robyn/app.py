import os
import signal
from contextlib import AsyncExitStack

from robyn import Response, Robyn

import issue_tracker_pydantic
import issue_tracker_raw
import registry
import responses
import workload
from shared.solr import solr

app = Robyn(__file__, openapi=registry.Description())
resources = AsyncExitStack()


@app.startup_handler
async def open_solr() -> None:
    await resources.enter_async_context(solr)


@app.shutdown_handler
async def close_solr() -> None:
    await resources.aclose()


@app.get("/hello_world")
def hello_world() -> Response:
    return responses.text("Hello World")


def read_part(part: int) -> dict[str, int]:
    return {"part": part}


for method in ("GET", "POST", "PUT"):
    for number in range(10):
        app.add_route(method, f"/route-{method.lower()}-{number}/:part", read_part)

app.include_router(issue_tracker_raw.router)
app.include_router(issue_tracker_pydantic.router)
app.include_router(workload.router)
app.include_router(registry.router)

if __name__ == "__main__":
    # The first process of a container gets no signal that it has no handler for.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    app.start(host="0.0.0.0", port=int(os.environ.get("PORT", "8080")))  # noqa: S104 - load comes from outside
