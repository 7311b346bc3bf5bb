"""The rows and the settings of the emulated data source. `source` and `blocking_source` return the rows to apps."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

# Plain values by the name of their column, as a database driver returns them. Rows are shared: do not change them.
Row = Mapping[str, Any]

# The fields of a task that a client sends. The tracker sets the other fields.
TASK_FIELDS = ("summary", "description", "issue_type", "priority", "labels", "components")


@dataclass(frozen=True)
class Rows:
    user: Row
    sprint: Row
    task: Row
    pool_size: int
    latency: float

    @classmethod
    def from_environment(cls) -> Self:
        fixtures = Path(os.environ.get("FIXTURES", "/fixtures")) / "issue-tracker"
        return cls(
            user=_read(fixtures / "user.json"),
            sprint=_read(fixtures / "sprint.json"),
            task=_read(fixtures / "task.json"),
            pool_size=int(os.environ.get("POOL_SIZE", "100")),
            latency=float(os.environ.get("POOL_LATENCY_MS", "1")) / 1000,
        )


def _read(path: Path) -> Row:
    row: Row = json.loads(path.read_text(encoding="utf-8"))
    return row
