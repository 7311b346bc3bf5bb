from typing import Any

from emmett import App, abort, request, response
from emmett.tools import ServicePipe, service

from shared.source import TASK_FIELDS, source

# In its root Emmett makes folders for languages, logs and static files: none is used, and an app writes to /tmp only.
app = App(__name__, root_path="/nonexistent")
app.config.handle_static = False


@app.route("/hello_world", methods="get")
async def hello_world() -> str:
    response.headers["content-type"] = "text/plain; charset=utf-8"
    return "Hello World"


async def read_part(part: int) -> dict[str, int]:
    return {"part": part}


for method in ("get", "post", "put"):
    paths = [f"/route-{method}-{number}/<int:part>" for number in range(10)]
    app.route(paths, name=f"{method}_part", methods=method, pipeline=[ServicePipe("json")])(read_part)


@app.route("/api/v1/userinfo/raw/<int:user_id>", methods="get")
@service.json
async def userinfo(user_id: int) -> dict[str, Any]:
    user = await source.user()
    return {**user, "sub": f"{user['sub']}-{user_id}"}


@app.route("/api/v1/sprint/raw/<int:sprint_id>", methods="get")
@service.json
async def sprint(sprint_id: int) -> dict[str, Any]:
    board = await source.sprint()
    return {**board, "sprint": {**board["sprint"], "id": sprint_id}}


@app.route("/api/v1/board/raw/<int:board_id>/task", methods="post")
@service.json
async def create_task(board_id: int) -> dict[str, Any]:
    task = await read_task()
    row = await source.task()
    response.status = 201
    return {**row, "board": board_id, **task}


@app.route("/api/v1/board/raw/<int:board_id>/task", methods="put")
async def update_task(board_id: int) -> str:
    await source.save_task(await read_task())
    response.status = 204
    return ""


async def read_task() -> dict[str, Any]:
    """The fields of a task; whatever else was sent is ignored."""
    try:
        body = await request.body_params
    except (TypeError, ValueError):  # JSON, but no object
        abort(400, "The body is not a task.")
    task = {field: body[field] for field in TASK_FIELDS}
    if None in task.values():  # what body_params has for a field that was not sent
        abort(400, "The body is not a task.")
    return task


import workload  # noqa: E402, F401 - adds its routes to `app`, the way that Emmett's documentation splits an app
