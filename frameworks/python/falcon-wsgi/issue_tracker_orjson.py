"""A Falcon app has one handler of JSON, which `raw` uses. So this variant calls a handler of its own."""

from typing import Any

import falcon
import orjson
from falcon import Request, Response
from falcon.media import JSONHandler

from issue_tracker_raw import task_of
from shared.blocking_source import source

handler = JSONHandler(dumps=orjson.dumps, loads=orjson.loads)


class UserInfo:
    def on_get(self, req: Request, resp: Response, user_id: int) -> None:
        user = source.user()
        resp.data = handler.serialize({**user, "sub": f"{user['sub']}-{user_id}"}, falcon.MEDIA_JSON)


class Sprint:
    def on_get(self, req: Request, resp: Response, sprint_id: int) -> None:
        board = source.sprint()
        answer = {**board, "sprint": {**board["sprint"], "id": sprint_id}}
        resp.data = handler.serialize(answer, falcon.MEDIA_JSON)


class Tasks:
    def on_post(self, req: Request, resp: Response, board_id: int) -> None:
        task = read_task(req)
        row = source.task()
        resp.status = falcon.HTTP_CREATED
        resp.data = handler.serialize({**row, "board": board_id, **task}, falcon.MEDIA_JSON)

    def on_put(self, req: Request, resp: Response, board_id: int) -> None:
        source.save_task(read_task(req))
        resp.status = falcon.HTTP_NO_CONTENT


def read_task(req: Request) -> dict[str, Any]:
    return task_of(handler.deserialize(req.bounded_stream, req.content_type, req.content_length))
