from typing import Any

from robyn import Response, SubRouter

from shared.pydantic_models import Board, Task, TaskIn, User
from shared.source import source

router = SubRouter(prefix="/api/v1")


@router.get("/userinfo/pydantic/:user_id")
async def userinfo(user_id: int) -> User:
    return User.from_row(await source.user(), user_id)


@router.get("/sprint/pydantic/:sprint_id", response_model=Board)
async def sprint(sprint_id: int) -> Response:
    """Robyn itself would write null where an issue is assigned to nobody."""
    board = Board.from_row(await source.sprint(), sprint_id)
    return Response(
        status_code=200,
        headers={"Content-Type": "application/json"},
        body=board.model_dump_json(exclude_none=True),
    )


@router.post("/board/pydantic/:board_id/task", status_code=201, response_model=Task)
async def create_task(board_id: int, task: TaskIn) -> dict[str, Any]:
    """Robyn makes a Task of what is returned here. To a Task it would give the status 200."""
    row = await source.task()
    return {**row, "board": board_id, **task.model_dump()}


@router.put("/board/pydantic/:board_id/task", status_code=204)
async def update_task(board_id: int, task: TaskIn) -> str:
    await source.save_task(task)
    return ""
