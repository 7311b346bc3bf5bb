"""The emulated data source for async apps. It has a pool of connections, and a fetch holds one of them for a while.

It replaces a database, so that an app waits as real apps do. It costs as little CPU time as possible, because it is not
measured.
"""

import asyncio
from typing import Generic

from shared.rows import LATENCY, POOL_SIZE, TASK_FIELDS, BoardT, Rows, TaskT, UserT, numbers, plain_rows, typed_rows

__all__ = ["TASK_FIELDS", "DataSource", "source", "typed_source"]

_pool = asyncio.Semaphore(POOL_SIZE)


class DataSource(Generic[UserT, BoardT, TaskT]):
    """Lends rows of one kind. All kinds have the same pool and the same numbers."""

    def __init__(self, rows: Rows[UserT, BoardT, TaskT]) -> None:
        self._rows = rows

    async def user(self) -> UserT:
        return self._rows.user(await self._fetch())

    async def sprint(self) -> BoardT:
        """The sprint and its issues."""
        return self._rows.sprint(await self._fetch())

    async def task(self) -> TaskT:
        """The fields of a new task that the tracker sets: its number, author, status, …"""
        return self._rows.task(await self._fetch())

    async def save_task(self, task: object) -> None:
        """Takes as long as a write would, and keeps nothing."""
        await self._fetch()

    async def _fetch(self) -> int:
        """Holds a connection for a while. Returns the number of the fetch."""
        async with _pool:
            await asyncio.sleep(LATENCY)
        return numbers.next()


source = DataSource(plain_rows())
typed_source = DataSource(typed_rows())
