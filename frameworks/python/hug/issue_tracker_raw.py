from typing import Any

import falcon
import hug

from shared.blocking_source import TASK_FIELDS, source


def task_fields(body: Any) -> dict[str, Any]:
    """The fields of a task; whatever else was sent is ignored. hug answers 400 where it raises."""
    return {field: body[field] for field in TASK_FIELDS}


@hug.get("/userinfo/raw/{user_id}")
def userinfo(user_id: hug.types.number) -> dict:
    user = source.user()
    return {**user, "sub": f"{user['sub']}-{user_id}"}


@hug.get("/sprint/raw/{sprint_id}")
def sprint(sprint_id: hug.types.number) -> dict:
    board = source.sprint()
    return {**board, "sprint": {**board["sprint"], "id": sprint_id}}


@hug.post("/board/raw/{board_id}/task", status=falcon.HTTP_CREATED)
def create_task(board_id: hug.types.number, body: task_fields) -> dict:
    row = source.task()
    return {**row, "board": board_id, **body}


@hug.put("/board/raw/{board_id}/task", status=falcon.HTTP_NO_CONTENT)
def update_task(board_id: hug.types.number, body: task_fields) -> None:
    source.save_task(body)
