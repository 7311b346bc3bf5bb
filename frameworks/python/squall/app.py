from squall import Squall
from squall.responses import PlainTextResponse

import issue_tracker_dataclasses
import issue_tracker_raw
import workload

app = Squall(title="restbench")


@app.get("/hello_world", response_class=PlainTextResponse)
async def hello_world() -> str:
    return "Hello World"


async def read_part(part: int) -> dict[str, int]:
    return {"part": part}


for method in ("GET", "POST", "PUT"):
    for number in range(10):
        app.add_api_route(f"/route-{method.lower()}-{number}/{{part}}", read_part, methods=[method])

app.include_router(issue_tracker_raw.router)
app.include_router(issue_tracker_dataclasses.router)
app.include_router(workload.router)
