from typing import Any

from bottle import Bottle, abort, request, response

from shared.blocking_source import TASK_FIELDS, source

app = Bottle()


@app.get("/api/v1/userinfo/raw/<user_id:int>")
def userinfo(user_id: int) -> dict[str, Any]:
    user = source.user()
    return {**user, "sub": f"{user['sub']}-{user_id}"}


@app.get("/api/v1/sprint/raw/<sprint_id:int>")
def sprint(sprint_id: int) -> dict[str, Any]:
    board = source.sprint()
    return {**board, "sprint": {**board["sprint"], "id": sprint_id}}


@app.post("/api/v1/board/raw/<board_id:int>/task")
def create_task(board_id: int) -> dict[str, Any]:
    task = read_task()
    row = source.task()
    response.status = 201
    return {**row, "board": board_id, **task}


@app.put("/api/v1/board/raw/<board_id:int>/task")
def update_task(board_id: int) -> None:
    source.save_task(read_task())
    response.status = 204


def read_task() -> dict[str, Any]:
    """The fields of a task; whatever else was sent is ignored."""
    body = request.json  # a body that is not JSON: Bottle answers with 400
    try:
        return {field: body[field] for field in TASK_FIELDS}
    except (TypeError, KeyError):
        abort(400, "The body is not a task.")
