"""The emulated data source: a pool of connections, and fetches that hold one of them for a while.

It stands in for a database, so that an app waits as apps do, and costs as little as it can: it is not what is measured.
"""

import asyncio
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

# What a database driver would hand out: plain values by the name of their column. Rows are shared: do not change them.
Row = Mapping[str, Any]

# What a client sends of a task; the rest of a task's row is the tracker's own.
TASK_FIELDS = ("summary", "description", "issue_type", "priority", "labels", "components")


class DataSource:
    def __init__(self, fixtures: Path, pool_size: int, latency: float) -> None:
        self._user: Row = _read(fixtures / "user.json")
        self._sprint: Row = _read(fixtures / "sprint.json")
        self._task: Row = _read(fixtures / "task.json")
        self._pool = asyncio.Semaphore(pool_size)
        self._latency = latency

    @classmethod
    def from_environment(cls) -> Self:
        return cls(
            fixtures=Path(os.environ.get("FIXTURES", "/fixtures")) / "issue-tracker",
            pool_size=int(os.environ.get("POOL_SIZE", "100")),
            latency=float(os.environ.get("POOL_LATENCY_MS", "1")) / 1000,
        )

    async def user(self) -> Row:
        await self._use_connection()
        return self._user

    async def sprint(self) -> Row:
        """The sprint, and its issues."""
        await self._use_connection()
        return self._sprint

    async def task(self) -> Row:
        """What the tracker itself knows of a new task: its number, author, status, …"""
        await self._use_connection()
        return self._task

    async def save_task(self, task: object) -> None:
        """Take as long as a write would; nothing is kept."""
        await self._use_connection()

    async def _use_connection(self) -> None:
        async with self._pool:
            await asyncio.sleep(self._latency)


def _read(path: Path) -> Row:
    row: Row = json.loads(path.read_text(encoding="utf-8"))
    return row


source = DataSource.from_environment()  # one per process, whatever number of modules use it
