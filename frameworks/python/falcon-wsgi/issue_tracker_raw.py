from typing import Any

import falcon
from falcon import Request, Response

from shared.blocking_source import TASK_FIELDS, source


class UserInfo:
    def on_get(self, req: Request, resp: Response, user_id: int) -> None:
        user = source.user()
        resp.media = {**user, "sub": f"{user['sub']}-{user_id}"}


class Sprint:
    def on_get(self, req: Request, resp: Response, sprint_id: int) -> None:
        board = source.sprint()
        resp.media = {**board, "sprint": {**board["sprint"], "id": sprint_id}}


class Tasks:
    def on_post(self, req: Request, resp: Response, board_id: int) -> None:
        task = task_of(req.get_media())
        row = source.task()
        resp.status = falcon.HTTP_CREATED
        resp.media = {**row, "board": board_id, **task}

    def on_put(self, req: Request, resp: Response, board_id: int) -> None:
        source.save_task(task_of(req.get_media()))
        resp.status = falcon.HTTP_NO_CONTENT


def task_of(body: Any) -> dict[str, Any]:
    """The fields of a task; whatever else was sent is ignored."""
    try:
        return {field: body[field] for field in TASK_FIELDS}
    except (TypeError, KeyError) as error:
        raise falcon.HTTPBadRequest(title="The body is not a task.") from error
