from flask import Flask, Response

import issue_tracker
import workload

app = Flask(__name__)


@app.get("/hello_world")
def hello_world() -> Response:
    return Response("Hello World", mimetype="text/plain")


def read_part(part: int) -> dict[str, int]:
    return {"part": part}


for method in ("GET", "POST", "PUT"):
    for number in range(10):
        app.add_url_rule(f"/route-{method.lower()}-{number}/<int:part>", view_func=read_part, methods=[method])

app.register_blueprint(issue_tracker.blueprint)
app.register_blueprint(workload.blueprint)
