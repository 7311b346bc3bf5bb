import orjson
from sanic import Blueprint, HTTPResponse, Request, empty, json

from issue_tracker_raw import task_of
from shared.source import source

blueprint = Blueprint("issue_tracker_orjson", url_prefix="/api/v1")


@blueprint.get("/userinfo/orjson/<user_id:int>")
async def userinfo(request: Request, user_id: int) -> HTTPResponse:
    user = await source.user()
    return json({**user, "sub": f"{user['sub']}-{user_id}"}, dumps=orjson.dumps)


@blueprint.get("/sprint/orjson/<sprint_id:int>")
async def sprint(request: Request, sprint_id: int) -> HTTPResponse:
    board = await source.sprint()
    return json({**board, "sprint": {**board["sprint"], "id": sprint_id}}, dumps=orjson.dumps)


@blueprint.post("/board/orjson/<board_id:int>/task")
async def create_task(request: Request, board_id: int) -> HTTPResponse:
    task = task_of(request.load_json(loads=orjson.loads))
    row = await source.task()
    return json({**row, "board": board_id, **task}, status=201, dumps=orjson.dumps)


@blueprint.put("/board/orjson/<board_id:int>/task")
async def update_task(request: Request, board_id: int) -> HTTPResponse:
    await source.save_task(task_of(request.load_json(loads=orjson.loads)))
    return empty()
