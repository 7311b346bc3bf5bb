"""The emulated data source for async apps: a pool of connections, and fetches that hold one of them for a while.

It stands in for a database, so that an app waits as apps do, and costs as little as it can: it is not what is measured.
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
        return self._rows.user

    async def sprint(self) -> Row:
        """The sprint, and its issues."""
        await self._use_connection()
        return self._rows.sprint

    async def task(self) -> Row:
        """What the tracker itself knows of a new task: its number, author, status, …"""
        await self._use_connection()
        return self._rows.task

    async def save_task(self, task: object) -> None:
        """Take as long as a write would; nothing is kept."""
        await self._use_connection()

    async def _use_connection(self) -> None:
        async with self._pool:
            await asyncio.sleep(self._rows.latency)


source = DataSource(Rows.from_environment())  # one per process, whatever number of modules use it
