"""The rows and the settings of the emulated data source. `source` and `blocking_source` return the rows to apps."""

import json
import os
import random
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any

# Plain values by the name of their column, as a database driver returns them. Parts of rows are shared: do not change
# them.
Row = Mapping[str, Any]

# The fields of a task that a client sends. The tracker sets the other fields.
TASK_FIELDS = ("summary", "description", "issue_type", "priority", "labels", "components")


class Rows:
    """Makes the rows of fetches. The number of the fetch ends one text of each row (docs/CONTRACT.md)."""

    def __init__(self) -> None:
        fixtures = Path(os.environ.get("FIXTURES", "/fixtures")) / "issue-tracker"
        self.pool_size = int(os.environ.get("POOL_SIZE", "100"))
        self.latency = float(os.environ.get("POOL_LATENCY_MS", "1")) / 1000
        self._user = _read(fixtures / "user.json")
        self._sprint = _read(fixtures / "sprint.json")
        self._task = _read(fixtures / "task.json")
        self._user_picture = self._user["picture"][:-10]
        self._author_picture = self._task["author"]["picture"][:-10]
        self._descriptions = [issue["description_short"][:-10] for issue in self._sprint["issues"]]
        self._draw()
        os.register_at_fork(after_in_child=self._draw)  # a server's workers are forks: each has numbers of its own

    def _draw(self) -> None:
        self._numbers = count(random.SystemRandom().randrange(10**9, 9 * 10**9))

    def user(self) -> Row:
        return {**self._user, "picture": f"{self._user_picture}{next(self._numbers)}"}

    def sprint(self) -> Row:
        number = next(self._numbers)
        issues = self._sprint["issues"].copy()
        index = number % len(issues)
        issues[index] = {**issues[index], "description_short": f"{self._descriptions[index]}{number}"}
        return {**self._sprint, "issues": issues}

    def task(self) -> Row:
        author = {**self._task["author"], "picture": f"{self._author_picture}{next(self._numbers)}"}
        return {**self._task, "author": author}

    def save_task(self) -> None:
        next(self._numbers)


def _read(path: Path) -> Row:
    row: Row = json.loads(path.read_text(encoding="utf-8"))
    return row
