from dataclasses import dataclass, field

from litestar import Router, get, post, put
from litestar.params import FromPath, JSONBody
from litestar.status_codes import HTTP_204_NO_CONTENT
from msgspec import UNSET, UnsetType

from shared import dataclasses_models as models
from shared.dataclasses_models import Person, Sprint, Task, TaskIn, User
from shared.source import source


@dataclass(kw_only=True, slots=True)
class Issue(models.Issue):
    """Litestar leaves UNSET out of the answer, and writes None as null."""

    # a factory, as Litestar cannot write a default of UNSET into its OpenAPI document
    assigned: Person | UnsetType = field(default_factory=lambda: UNSET)


@dataclass(kw_only=True, slots=True)
class Board:
    """A sprint with its issues."""

    sprint: Sprint
    issues: list[Issue]


@get("/userinfo/dataclasses/{user_id:int}")
async def userinfo(user_id: FromPath[int]) -> User:
    return User.from_row(await source.user(), user_id)


@get("/sprint/dataclasses/{sprint_id:int}")
async def sprint(sprint_id: FromPath[int]) -> Board:
    row = await source.sprint()
    return Board(
        sprint=Sprint.from_row(row["sprint"], sprint_id),
        issues=[Issue.from_row(issue, nobody=UNSET) for issue in row["issues"]],
    )


@post("/board/dataclasses/{board_id:int}/task")
async def create_task(board_id: FromPath[int], data: JSONBody[TaskIn]) -> Task:
    return Task.from_row(await source.task(), board_id, data)


@put("/board/dataclasses/{board_id:int}/task", status_code=HTTP_204_NO_CONTENT)
async def update_task(board_id: FromPath[int], data: JSONBody[TaskIn]) -> None:
    await source.save_task(data)


router = Router("/api/v1", route_handlers=[userinfo, sprint, create_task, update_task])
