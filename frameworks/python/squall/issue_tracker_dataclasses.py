"""apischema validates the dataclasses and serialises them; Squall has it set up by apischema's own settings."""

import apischema
from squall import Response, Router

from shared.dataclasses_models import Board, Task, TaskIn, User
from shared.source import typed_source

apischema.settings.additional_properties = True
apischema.settings.serialization.exclude_none = True

router = Router(prefix="/api/v1")


@router.get("/userinfo/dataclasses/{user_id}", response_model=User)
async def userinfo(user_id: int) -> User:
    user = await typed_source.user()
    user.sub = f"{user.sub}-{user_id}"
    return user


# Squall would write the null of its types, which OpenAPI has from 3.1 on, into a document of 3.0.
@router.get("/sprint/dataclasses/{sprint_id}", response_model=Board, include_in_schema=False)
async def sprint(sprint_id: int) -> Board:
    board = await typed_source.sprint()
    board.sprint.id = sprint_id
    return board


@router.post("/board/dataclasses/{board_id}/task", response_model=Task, status_code=201)
async def create_task(board_id: int, task: TaskIn) -> Task:
    row = await typed_source.task()
    return Task(board=board_id, **vars(row), **vars(task))


@router.put("/board/dataclasses/{board_id}/task", status_code=204, response_class=Response)
async def update_task(board_id: int, task: TaskIn) -> None:
    await typed_source.save_task(task)
