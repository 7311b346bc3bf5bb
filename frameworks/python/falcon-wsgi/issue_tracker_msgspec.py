"""A Falcon app has one handler of JSON, which `raw` uses. So this variant calls a handler of its own.

It decodes a body straight into its type.
"""

import falcon
import msgspec
from falcon import Request, Response
from falcon.media import JSONHandler
from msgspec import structs

from shared.blocking_source import typed_source
from shared.msgspec_models import Board, Task, TaskIn, User

handler = JSONHandler(dumps=msgspec.json.Encoder().encode, loads=msgspec.json.Decoder(TaskIn).decode)


class UserInfo:
    def on_get(self, req: Request, resp: Response, user_id: int) -> None:
        user = typed_source.user()
        user.sub = f"{user.sub}-{user_id}"
        resp.data = handler.serialize(msgspec.convert(user, User, from_attributes=True), falcon.MEDIA_JSON)


class Sprint:
    def on_get(self, req: Request, resp: Response, sprint_id: int) -> None:
        board = typed_source.sprint()
        board.sprint.id = sprint_id
        resp.data = handler.serialize(msgspec.convert(board, Board, from_attributes=True), falcon.MEDIA_JSON)


class Tasks:
    def on_post(self, req: Request, resp: Response, board_id: int) -> None:
        task = read_task(req)
        row = typed_source.task()
        answer = {**vars(row), **structs.asdict(task), "board": board_id}
        resp.status = falcon.HTTP_CREATED
        resp.data = handler.serialize(msgspec.convert(answer, Task, from_attributes=True), falcon.MEDIA_JSON)

    def on_put(self, req: Request, resp: Response, board_id: int) -> None:
        typed_source.save_task(read_task(req))
        resp.status = falcon.HTTP_NO_CONTENT


def read_task(req: Request) -> TaskIn:
    return handler.deserialize(req.bounded_stream, req.content_type, req.content_length)
