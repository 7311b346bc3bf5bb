from typing import Any

from sanic import BadRequest, Blueprint, HTTPResponse, Request, empty, json

from shared.source import TASK_FIELDS, source

blueprint = Blueprint("issue_tracker_raw", url_prefix="/api/v1")


@blueprint.get("/userinfo/raw/<user_id:int>")
async def userinfo(request: Request, user_id: int) -> HTTPResponse:
    user = await source.user()
    return json({**user, "sub": f"{user['sub']}-{user_id}"})


@blueprint.get("/sprint/raw/<sprint_id:int>")
async def sprint(request: Request, sprint_id: int) -> HTTPResponse:
    board = await source.sprint()
    return json({**board, "sprint": {**board["sprint"], "id": sprint_id}})


@blueprint.post("/board/raw/<board_id:int>/task")
async def create_task(request: Request, board_id: int) -> HTTPResponse:
    task = task_of(request.json)
    row = await source.task()
    return json({**row, "board": board_id, **task}, status=201)


@blueprint.put("/board/raw/<board_id:int>/task")
async def update_task(request: Request, board_id: int) -> HTTPResponse:
    await source.save_task(task_of(request.json))
    return empty()


def task_of(body: Any) -> dict[str, Any]:
    """The fields of a task; whatever else was sent is ignored."""
    try:
        return {field: body[field] for field in TASK_FIELDS}
    except (TypeError, KeyError) as error:
        raise BadRequest("The body is not a task.") from error
