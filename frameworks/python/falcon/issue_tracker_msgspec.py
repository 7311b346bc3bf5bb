"""A Falcon app has one handler of JSON, which `raw` uses. So this variant calls a handler of its own.

It decodes a body straight into its type.
"""

import falcon
import msgspec
from falcon.asgi import Request, Response
from falcon.media import JSONHandler
from msgspec import structs

from shared.msgspec_models import Board, Task, TaskIn, User
from shared.source import typed_source

handler = JSONHandler(dumps=msgspec.json.Encoder().encode, loads=msgspec.json.Decoder(TaskIn).decode)


class UserInfo:
    async def on_get(self, req: Request, resp: Response, user_id: int) -> None:
        user = await typed_source.user()
        user.sub = f"{user.sub}-{user_id}"
        resp.data = handler.serialize(msgspec.convert(user, User, from_attributes=True), falcon.MEDIA_JSON)


class Sprint:
    async def on_get(self, req: Request, resp: Response, sprint_id: int) -> None:
        board = await typed_source.sprint()
        board.sprint.id = sprint_id
        resp.data = handler.serialize(msgspec.convert(board, Board, from_attributes=True), falcon.MEDIA_JSON)


class Tasks:
    async def on_post(self, req: Request, resp: Response, board_id: int) -> None:
        task = await read_task(req)
        row = await typed_source.task()
        answer = {**vars(row), **structs.asdict(task), "board": board_id}
        resp.status = falcon.HTTP_CREATED
        resp.data = handler.serialize(msgspec.convert(answer, Task, from_attributes=True), falcon.MEDIA_JSON)

    async def on_put(self, req: Request, resp: Response, board_id: int) -> None:
        await typed_source.save_task(await read_task(req))
        resp.status = falcon.HTTP_NO_CONTENT


async def read_task(req: Request) -> TaskIn:
    return await handler.deserialize_async(req.stream, req.content_type, req.content_length)
