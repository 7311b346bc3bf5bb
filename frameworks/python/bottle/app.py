from bottle import Bottle, response

import issue_tracker
import workload

app = Bottle()


@app.get("/hello_world")
def hello_world() -> str:
    response.content_type = "text/plain; charset=utf-8"
    return "Hello World"


def read_part(part: int) -> dict[str, int]:
    return {"part": part}


for method in ("GET", "POST", "PUT"):
    for number in range(10):
        app.route(f"/route-{method.lower()}-{number}/<part:int>", method, read_part)

app.merge(issue_tracker.app)
app.merge(workload.app)
