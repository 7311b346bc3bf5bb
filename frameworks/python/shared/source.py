"""The emulated data source for async apps. It has a pool of connections, and a fetch holds one of them for a while.

It replaces a database, so that an app waits as real apps do. It costs as little CPU time as possible, because it is not
measured.
"""

import asyncio

from shared.rows import TASK_FIELDS, Row, Rows

__all__ = ["TASK_FIELDS", "DataSource", "source"]


class DataSource:
    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._pool = asyncio.Semaphore(rows.pool_size)

    async def user(self) -> Row:
        await self._use_connection()
        return self._rows.user()

    async def sprint(self) -> Row:
        """The sprint and its issues."""
        await self._use_connection()
        return self._rows.sprint()

    async def task(self) -> Row:
        """The fields of a new task that the tracker sets: its number, author, status, …"""
        await self._use_connection()
        return self._rows.task()

    async def save_task(self, task: object) -> None:
        """Takes as long as a write would, and keeps nothing."""
        await self._use_connection()
        self._rows.save_task()

    async def _use_connection(self) -> None:
        async with self._pool:
            await asyncio.sleep(self._rows.latency)


source = DataSource(Rows())  # one per process, even if several modules use it
