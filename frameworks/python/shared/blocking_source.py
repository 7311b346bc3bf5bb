"""The emulated data source for threaded apps, as `source` is for async ones."""

import threading
import time

from shared.rows import TASK_FIELDS, Row, Rows

__all__ = ["TASK_FIELDS", "DataSource", "source"]


class DataSource:
    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._pool = threading.BoundedSemaphore(rows.pool_size)

    def user(self) -> Row:
        self._use_connection()
        return self._rows.user

    def sprint(self) -> Row:
        """The sprint, and its issues."""
        self._use_connection()
        return self._rows.sprint

    def task(self) -> Row:
        """What the tracker itself knows of a new task: its number, author, status, …"""
        self._use_connection()
        return self._rows.task

    def save_task(self, task: object) -> None:
        """Take as long as a write would; nothing is kept."""
        self._use_connection()

    def _use_connection(self) -> None:
        with self._pool:
            time.sleep(self._rows.latency)


source = DataSource(Rows.from_environment())  # one per process, whatever number of modules use it
