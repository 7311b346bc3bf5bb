from blacksheep import Application, Response, json, text

import issue_tracker_dataclasses
import issue_tracker_pydantic
import issue_tracker_raw
import workload


def hello_world() -> Response:
    return text("Hello World")


def read_part(part: int) -> Response:
    return json({"part": part})


app = Application()
app.router.add_get("/hello_world", hello_world)

for method in ("GET", "POST", "PUT"):
    for number in range(10):
        app.router.add(method, f"/route-{method.lower()}-{number}/{{int:part}}", read_part)

for variant, tracker in {
    "raw": issue_tracker_raw,
    "dataclasses": issue_tracker_dataclasses,
    "pydantic": issue_tracker_pydantic,
}.items():
    app.router.add_get(f"/api/v1/userinfo/{variant}/{{int:user_id}}", tracker.userinfo)
    app.router.add_get(f"/api/v1/sprint/{variant}/{{int:sprint_id}}", tracker.sprint)
    app.router.add_post(f"/api/v1/board/{variant}/{{int:board_id}}/task", tracker.create_task)
    app.router.add_put(f"/api/v1/board/{variant}/{{int:board_id}}/task", tracker.update_task)

app.router.add_post("/test", workload.queue)
app.router.add_post("/test/simple", workload.simple)
app.router.add_post("/test/timed", workload.timed)
app.router.add_post("/test/bcrypt", workload.bcrypt)
app.router.add_get("/test/status", workload.status)
app.router.add_get("/test/labels/{label}", workload.get_label)
