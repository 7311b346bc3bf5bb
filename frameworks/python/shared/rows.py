"""The rows and the settings of the emulated data source. `source` and `blocking_source` lend the rows to apps."""

import os
import random
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from operator import getitem
from typing import Any, Generic, TypeVar

from shared.dataclasses_models import Board, TaskRow, User
from shared.fixtures import read

POOL_SIZE = int(os.environ.get("POOL_SIZE", "100"))
LATENCY = float(os.environ.get("POOL_LATENCY_MS", "1")) / 1000

# The fields of a task that a client sends. The tracker sets the other fields.
TASK_FIELDS = ("summary", "description", "issue_type", "priority", "labels", "components")

UserT = TypeVar("UserT")
BoardT = TypeVar("BoardT")
TaskT = TypeVar("TaskT")


@dataclass(frozen=True)
class Rows(Generic[UserT, BoardT, TaskT]):
    """Lends the rows of one kind. The number of a fetch chooses the row, and ends one text of it (docs/CONTRACT.md).

    The row that is lent is a shallow copy, and so are a board's sprint, its list of issues, the issue with the number,
    and a task's author: an app may change these. All other parts of rows are shared.
    """

    users: list[UserT]
    sprints: list[BoardT]
    tasks: list[TaskT]
    get: Callable[[Any, str], Any]
    copy: Callable[..., Any]

    def user(self, number: int) -> UserT:
        return self._numbered(self.users[number % len(self.users)], "picture", number)

    def sprint(self, number: int) -> BoardT:
        board = self.sprints[number % len(self.sprints)]
        issues = self.get(board, "issues").copy()
        index = number % len(issues)
        issues[index] = self._numbered(issues[index], "description_short", number)
        return self.copy(board, sprint=self.copy(self.get(board, "sprint")), issues=issues)

    def task(self, number: int) -> TaskT:
        task = self.tasks[number % len(self.tasks)]
        return self.copy(task, author=self._numbered(self.get(task, "author"), "picture", number))

    def _numbered(self, row: Any, field: str, number: int) -> Any:
        return self.copy(row, **{field: f"{self.get(row, field)[:-10]}{number}"})


class Numbers:
    """The numbers of a process's fetches."""

    def __init__(self) -> None:
        self._draw()
        os.register_at_fork(after_in_child=self._draw)  # a server's workers are forks: each has numbers of its own

    def _draw(self) -> None:
        self._numbers = count(random.SystemRandom().randrange(10**9, 9 * 10**9))

    def next(self) -> int:
        return next(self._numbers)


numbers = Numbers()


def plain_rows() -> Rows[dict[str, Any], dict[str, Any], dict[str, Any]]:
    return Rows(read("users.json", dict), read("sprints.json", dict), read("tasks.json", dict), getitem, dict)


def typed_rows(board: type[BoardT] = Board) -> Rows[User, BoardT, TaskRow]:
    return Rows(read("users.json", User), read("sprints.json", board), read("tasks.json", TaskRow), getattr, _replace)


def _replace(row: Any, **changes: Any) -> Any:
    """Does what dataclasses.replace does, in two thirds of the time."""
    return type(row)(**(vars(row) | changes))
