from dataclasses import dataclass, field

from litestar import Router, get, post, put
from litestar.params import FromPath, JSONBody
from litestar.status_codes import HTTP_204_NO_CONTENT
from msgspec import UNSET, UnsetType

from shared import dataclasses_models as models
from shared.dataclasses_models import Person, Sprint, Task, TaskIn, User
from shared.rows import typed_rows
from shared.source import DataSource


@dataclass(kw_only=True)
class Issue(models.Issue):
    """msgspec, with which Litestar encodes, leaves UNSET out of the answer, and writes None as null."""

    # a factory, as Litestar cannot write a default of UNSET into its OpenAPI document
    assigned: Person | UnsetType = field(default_factory=lambda: UNSET)


@dataclass(kw_only=True)
class Board:
    """A sprint with its issues."""

    sprint: Sprint
    issues: list[Issue]


typed_source = DataSource(typed_rows(Board))


@get("/userinfo/dataclasses/{user_id:int}")
async def userinfo(user_id: FromPath[int]) -> User:
    user = await typed_source.user()
    user.sub = f"{user.sub}-{user_id}"
    return user


@get("/sprint/dataclasses/{sprint_id:int}")
async def sprint(sprint_id: FromPath[int]) -> Board:
    board = await typed_source.sprint()
    board.sprint.id = sprint_id
    return board


@post("/board/dataclasses/{board_id:int}/task")
async def create_task(board_id: FromPath[int], data: JSONBody[TaskIn]) -> Task:
    row = await typed_source.task()
    return Task(board=board_id, **vars(row), **vars(data))


@put("/board/dataclasses/{board_id:int}/task", status_code=HTTP_204_NO_CONTENT)
async def update_task(board_id: FromPath[int], data: JSONBody[TaskIn]) -> None:
    await typed_source.save_task(data)


router = Router("/api/v1", route_handlers=[userinfo, sprint, create_task, update_task])
