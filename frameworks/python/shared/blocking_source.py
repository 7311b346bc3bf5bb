"""The emulated data source for threaded apps. Async apps use `source`."""

import threading
import time
from typing import Generic

from shared.rows import LATENCY, POOL_SIZE, TASK_FIELDS, BoardT, Rows, TaskT, UserT, numbers, plain_rows, typed_rows

__all__ = ["TASK_FIELDS", "DataSource", "source", "typed_source"]

_pool = threading.BoundedSemaphore(POOL_SIZE)


class DataSource(Generic[UserT, BoardT, TaskT]):
    """Lends rows of one kind. All kinds have the same pool and the same numbers."""

    def __init__(self, rows: Rows[UserT, BoardT, TaskT]) -> None:
        self._rows = rows

    def user(self) -> UserT:
        return self._rows.user(self._fetch())

    def sprint(self) -> BoardT:
        """The sprint and its issues."""
        return self._rows.sprint(self._fetch())

    def task(self) -> TaskT:
        """The fields of a new task that the tracker sets: its number, author, status, …"""
        return self._rows.task(self._fetch())

    def save_task(self, task: object) -> None:
        """Takes as long as a write would, and keeps nothing."""
        self._fetch()

    def _fetch(self) -> int:
        """Holds a connection for a while. Returns the number of the fetch."""
        with _pool:
            time.sleep(LATENCY)
        return numbers.next()


source = DataSource(plain_rows())
typed_source = DataSource(typed_rows())
