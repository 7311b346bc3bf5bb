from typing import Any

from tornado.web import HTTPError, RequestHandler

from base import JSONHandler
from shared.source import TASK_FIELDS, source


class UserInfo(RequestHandler):
    async def get(self, user_id: str) -> None:
        user = await source.user()
        self.write({**user, "sub": f"{user['sub']}-{int(user_id)}"})


class Sprint(RequestHandler):
    async def get(self, sprint_id: str) -> None:
        board = await source.sprint()
        self.write({**board, "sprint": {**board["sprint"], "id": int(sprint_id)}})


class Tasks(JSONHandler):
    async def post(self, board_id: str) -> None:
        task = self.read_task()
        row = await source.task()
        self.set_status(201)
        self.write({**row, "board": int(board_id), **task})

    async def put(self, board_id: str) -> None:
        await source.save_task(self.read_task())
        self.set_status(204)

    def read_task(self) -> dict[str, Any]:
        """The fields of a task; whatever else was sent is ignored."""
        try:
            return {field: self.json_args[field] for field in TASK_FIELDS}
        except (TypeError, KeyError) as error:
            raise HTTPError(400) from error


handlers = [
    (r"/api/v1/userinfo/raw/(\d+)", UserInfo),
    (r"/api/v1/sprint/raw/(\d+)", Sprint),
    (r"/api/v1/board/raw/(\d+)/task", Tasks),
]
