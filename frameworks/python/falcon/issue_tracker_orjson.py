"""A Falcon app has one handler of JSON, which `raw` uses. So this variant calls a handler of its own."""

from typing import Any

import falcon
import orjson
from falcon.asgi import Request, Response
from falcon.media import JSONHandler

from issue_tracker_raw import task_of
from shared.source import source

handler = JSONHandler(dumps=orjson.dumps, loads=orjson.loads)


class UserInfo:
    async def on_get(self, req: Request, resp: Response, user_id: int) -> None:
        user = await source.user()
        resp.data = handler.serialize({**user, "sub": f"{user['sub']}-{user_id}"}, falcon.MEDIA_JSON)


class Sprint:
    async def on_get(self, req: Request, resp: Response, sprint_id: int) -> None:
        board = await source.sprint()
        answer = {**board, "sprint": {**board["sprint"], "id": sprint_id}}
        resp.data = handler.serialize(answer, falcon.MEDIA_JSON)


class Tasks:
    async def on_post(self, req: Request, resp: Response, board_id: int) -> None:
        task = await read_task(req)
        row = await source.task()
        resp.status = falcon.HTTP_CREATED
        resp.data = handler.serialize({**row, "board": board_id, **task}, falcon.MEDIA_JSON)

    async def on_put(self, req: Request, resp: Response, board_id: int) -> None:
        await source.save_task(await read_task(req))
        resp.status = falcon.HTTP_NO_CONTENT


async def read_task(req: Request) -> dict[str, Any]:
    return task_of(await handler.deserialize_async(req.stream, req.content_type, req.content_length))
