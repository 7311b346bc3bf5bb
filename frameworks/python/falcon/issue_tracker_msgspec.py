"""A Falcon app has one handler of JSON, which `raw` uses. So this variant calls a handler of its own.

It decodes a body straight into its type.
"""

import falcon
import msgspec
from falcon.asgi import Request, Response
from falcon.media import JSONHandler

from shared.msgspec_models import Board, Task, TaskIn, User
from shared.source import source

handler = JSONHandler(dumps=msgspec.json.Encoder().encode, loads=msgspec.json.Decoder(TaskIn).decode)


class UserInfo:
    async def on_get(self, req: Request, resp: Response, user_id: int) -> None:
        resp.data = handler.serialize(User.from_row(await source.user(), user_id), falcon.MEDIA_JSON)


class Sprint:
    async def on_get(self, req: Request, resp: Response, sprint_id: int) -> None:
        resp.data = handler.serialize(Board.from_row(await source.sprint(), sprint_id), falcon.MEDIA_JSON)


class Tasks:
    async def on_post(self, req: Request, resp: Response, board_id: int) -> None:
        task = await read_task(req)
        row = await source.task()
        resp.status = falcon.HTTP_CREATED
        resp.data = handler.serialize(Task.from_row(row, board_id, task), falcon.MEDIA_JSON)

    async def on_put(self, req: Request, resp: Response, board_id: int) -> None:
        await source.save_task(await read_task(req))
        resp.status = falcon.HTTP_NO_CONTENT


async def read_task(req: Request) -> TaskIn:
    return await handler.deserialize_async(req.stream, req.content_type, req.content_length)
