from typing import Any

from squall import HTTPException, Request, Response, Router

from shared.source import TASK_FIELDS, source

router = Router(prefix="/api/v1")


@router.get("/userinfo/raw/{user_id}")
async def userinfo(user_id: int) -> dict[str, Any]:
    user = await source.user()
    return {**user, "sub": f"{user['sub']}-{user_id}"}


@router.get("/sprint/raw/{sprint_id}")
async def sprint(sprint_id: int) -> dict[str, Any]:
    board = await source.sprint()
    return {**board, "sprint": {**board["sprint"], "id": sprint_id}}


@router.post("/board/raw/{board_id}/task", status_code=201)
async def create_task(board_id: int, request: Request) -> dict[str, Any]:
    task = await read_task(request)
    row = await source.task()
    return {**row, "board": board_id, **task}


@router.put("/board/raw/{board_id}/task", status_code=204, response_class=Response)
async def update_task(board_id: int, request: Request) -> None:
    await source.save_task(await read_task(request))


async def read_task(request: Request) -> dict[str, Any]:
    """The fields of a task; whatever else was sent is ignored."""
    try:
        body = await request.json()
        return {field: body[field] for field in TASK_FIELDS}
    except (ValueError, TypeError, KeyError) as error:
        raise HTTPException(400, detail="The body is not a task.") from error
