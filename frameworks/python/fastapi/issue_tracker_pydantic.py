"""FastAPI builds the model of an answer from the attributes of the object that a function returns."""

from fastapi import APIRouter, status

from shared import dataclasses_models as rows
from shared.pydantic_models import Board, Task, TaskIn, User
from shared.source import typed_source

router = APIRouter()


@router.get("/userinfo/pydantic/{user_id}", response_model=User)
async def userinfo(user_id: int) -> rows.User:
    user = await typed_source.user()
    user.sub = f"{user.sub}-{user_id}"
    return user


@router.get("/sprint/pydantic/{sprint_id}", response_model=Board, response_model_exclude_none=True)
async def sprint(sprint_id: int) -> rows.Board:
    board = await typed_source.sprint()
    board.sprint.id = sprint_id
    return board


@router.post("/board/pydantic/{board_id}/task", response_model=Task, status_code=status.HTTP_201_CREATED)
async def create_task(board_id: int, task: TaskIn) -> rows.Task:
    row = await typed_source.task()
    return rows.Task(board=board_id, **vars(row), **dict(task))


@router.put("/board/pydantic/{board_id}/task", status_code=status.HTTP_204_NO_CONTENT)
async def update_task(board_id: int, task: TaskIn) -> None:
    await typed_source.save_task(task)
