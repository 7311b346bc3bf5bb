from fastapi import APIRouter, status

from shared.pydantic_models import Board, Task, TaskIn, User
from shared.source import source

router = APIRouter()


@router.get("/userinfo/pydantic/{user_id}")
async def userinfo(user_id: int) -> User:
    return User.from_row(await source.user(), user_id)


@router.get("/sprint/pydantic/{sprint_id}", response_model_exclude_none=True)
async def sprint(sprint_id: int) -> Board:
    return Board.from_row(await source.sprint(), sprint_id)


@router.post("/board/pydantic/{board_id}/task", status_code=status.HTTP_201_CREATED)
async def create_task(board_id: int, task: TaskIn) -> Task:
    return Task.from_row(await source.task(), board_id, task)


@router.put("/board/pydantic/{board_id}/task", status_code=status.HTTP_204_NO_CONTENT)
async def update_task(board_id: int, task: TaskIn) -> None:
    await source.save_task(task)
