from typing import Any

from muffin import Application, Request, Response, ResponseError, ResponseText

import workload
from shared.source import TASK_FIELDS, source

app = Application()


@app.route("/hello_world", methods=["GET"])
async def hello_world(request: Request) -> Response:
    return ResponseText("Hello World")


async def read_part(request: Request) -> dict[str, int]:
    return {"part": request.path_params["part"]}


for method in ("GET", "POST", "PUT"):
    for number in range(10):
        app.route(f"/route-{method.lower()}-{number}/{{part:int}}", methods=[method])(read_part)


@app.route("/api/v1/userinfo/raw/{user_id:int}", methods=["GET"])
async def userinfo(request: Request) -> dict[str, Any]:
    user = await source.user()
    return {**user, "sub": f"{user['sub']}-{request.path_params['user_id']}"}


@app.route("/api/v1/sprint/raw/{sprint_id:int}", methods=["GET"])
async def sprint(request: Request) -> dict[str, Any]:
    board = await source.sprint()
    return {**board, "sprint": {**board["sprint"], "id": request.path_params["sprint_id"]}}


@app.route("/api/v1/board/raw/{board_id:int}/task", methods=["POST"])
async def create_task(request: Request) -> tuple[int, dict[str, Any]]:
    task = await read_task(request)
    row = await source.task()
    return 201, {**row, "board": request.path_params["board_id"], **task}


@app.route("/api/v1/board/raw/{board_id:int}/task", methods=["PUT"])
async def update_task(request: Request) -> Response:
    await source.save_task(await read_task(request))
    return Response("", status_code=204)


async def read_task(request: Request) -> dict[str, Any]:
    """The fields of a task; whatever else was sent is ignored."""
    try:
        body = await request.json()
        return {field: body[field] for field in TASK_FIELDS}
    except (ValueError, TypeError, KeyError) as error:
        raise ResponseError.BAD_REQUEST("The body is not a task.") from error


app.route("/test")(workload.app)
