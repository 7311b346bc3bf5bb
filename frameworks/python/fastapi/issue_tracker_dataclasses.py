from fastapi import APIRouter, status

from shared.dataclasses_models import Board, Task, TaskIn, User
from shared.source import typed_source

router = APIRouter()


@router.get("/userinfo/dataclasses/{user_id}")
async def userinfo(user_id: int) -> User:
    user = await typed_source.user()
    user.sub = f"{user.sub}-{user_id}"
    return user


@router.get("/sprint/dataclasses/{sprint_id}", response_model_exclude_none=True)
async def sprint(sprint_id: int) -> Board:
    board = await typed_source.sprint()
    board.sprint.id = sprint_id
    return board


@router.post("/board/dataclasses/{board_id}/task", status_code=status.HTTP_201_CREATED)
async def create_task(board_id: int, task: TaskIn) -> Task:
    row = await typed_source.task()
    return Task(board=board_id, **vars(row), **vars(task))


@router.put("/board/dataclasses/{board_id}/task", status_code=status.HTTP_204_NO_CONTENT)
async def update_task(board_id: int, task: TaskIn) -> None:
    await typed_source.save_task(task)
