"""The emulated data source for threaded apps. Async apps use `source`."""

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
        return self._rows.user()

    def sprint(self) -> Row:
        """The sprint and its issues."""
        self._use_connection()
        return self._rows.sprint()

    def task(self) -> Row:
        """The fields of a new task that the tracker sets: its number, author, status, …"""
        self._use_connection()
        return self._rows.task()

    def save_task(self, task: object) -> None:
        """Takes as long as a write would, and keeps nothing."""
        self._use_connection()
        self._rows.save_task()

    def _use_connection(self) -> None:
        with self._pool:
            time.sleep(self._rows.latency)


source = DataSource(Rows())  # one per process, even if several modules use it
