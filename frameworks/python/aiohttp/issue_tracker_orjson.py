import orjson
from aiohttp import web

from issue_tracker_raw import read_task
from shared.source import source

routes = web.RouteTableDef()


@routes.get(r"/api/v1/userinfo/orjson/{user_id:\d+}")
async def userinfo(request: web.Request) -> web.Response:
    user = await source.user()
    answer = {**user, "sub": f"{user['sub']}-{int(request.match_info['user_id'])}"}
    return web.json_bytes_response(answer, dumps=orjson.dumps)


@routes.get(r"/api/v1/sprint/orjson/{sprint_id:\d+}")
async def sprint(request: web.Request) -> web.Response:
    board = await source.sprint()
    answer = {**board, "sprint": {**board["sprint"], "id": int(request.match_info["sprint_id"])}}
    return web.json_bytes_response(answer, dumps=orjson.dumps)


@routes.post(r"/api/v1/board/orjson/{board_id:\d+}/task")
async def create_task(request: web.Request) -> web.Response:
    task = await read_task(request, orjson.loads)
    row = await source.task()
    answer = {**row, "board": int(request.match_info["board_id"]), **task}
    return web.json_bytes_response(answer, dumps=orjson.dumps, status=201)


@routes.put(r"/api/v1/board/orjson/{board_id:\d+}/task")
async def update_task(request: web.Request) -> web.Response:
    await source.save_task(await read_task(request, orjson.loads))
    return web.Response(status=204)
