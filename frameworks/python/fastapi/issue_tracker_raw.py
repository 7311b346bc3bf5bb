from typing import Any

from fastapi import APIRouter, HTTPException, status

from shared.source import TASK_FIELDS, source

router = APIRouter()


@router.get("/userinfo/raw/{user_id}")
async def userinfo(user_id: int) -> dict[str, Any]:
    user = await source.user()
    return {**user, "sub": f"{user['sub']}-{user_id}"}


@router.get("/sprint/raw/{sprint_id}")
async def sprint(sprint_id: int) -> dict[str, Any]:
    board = await source.sprint()
    return {**board, "sprint": {**board["sprint"], "id": sprint_id}}


@router.post("/board/raw/{board_id}/task", status_code=status.HTTP_201_CREATED)
async def create_task(board_id: int, body: dict[str, Any]) -> dict[str, Any]:
    task = task_of(body)
    row = await source.task()
    return {**row, "board": board_id, **task}


@router.put("/board/raw/{board_id}/task", status_code=status.HTTP_204_NO_CONTENT)
async def update_task(board_id: int, body: dict[str, Any]) -> None:
    await source.save_task(task_of(body))


def task_of(body: dict[str, Any]) -> dict[str, Any]:
    """The fields of a task; whatever else was sent is ignored."""
    try:
        return {field: body[field] for field in TASK_FIELDS}
    except KeyError as error:
        raise HTTPException(status.HTTP_400_BAD_REQUEST, detail=f"{error} is missing.") from error
