from typing import Any

from robyn import Request, SubRouter
from robyn.exceptions import HTTPException

from responses import http_error
from shared.source import TASK_FIELDS, source

router = SubRouter(prefix="/api/v1")
router.exception(http_error)  # for the routes that follow


@router.get("/userinfo/raw/:user_id")
async def userinfo(user_id: int) -> dict[str, Any]:
    user = await source.user()
    return {**user, "sub": f"{user['sub']}-{user_id}"}


@router.get("/sprint/raw/:sprint_id")
async def sprint(sprint_id: int) -> dict[str, Any]:
    board = await source.sprint()
    return {**board, "sprint": {**board["sprint"], "id": sprint_id}}


@router.post("/board/raw/:board_id/task", status_code=201)
async def create_task(request: Request, board_id: int) -> dict[str, Any]:
    task = read_task(request)
    row = await source.task()
    return {**row, "board": board_id, **task}


@router.put("/board/raw/:board_id/task", status_code=204)
async def update_task(request: Request, board_id: int) -> str:
    await source.save_task(read_task(request))
    return ""


def read_task(request: Request) -> dict[str, Any]:
    """The fields of a task; whatever else was sent is ignored."""
    try:
        body = request.json()
        return {field: body[field] for field in TASK_FIELDS}
    except (ValueError, TypeError, KeyError) as error:
        raise HTTPException(400, "The body is not a task.") from error
