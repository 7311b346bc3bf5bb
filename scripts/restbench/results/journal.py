"""Rounds on disk before the next begins: a later failure must not lose them."""

import os
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from pydantic import BaseModel

from restbench.catalog import Cell
from restbench.errors import ResultsError
from restbench.results.models import Round


class JournalLine(BaseModel):
    """One line of rounds.jsonl."""

    cell: str
    round: Round


class Journal:
    """out/rounds.jsonl of the run that is going on. A context manager: entering starts it anew."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Self:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._file = self._path.open("wb")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def append(self, cell: Cell, result: Round) -> None:
        """Writes a round and waits until the disk has it. Raises ResultsError; no part of the line stays then."""
        assert self._file is not None, "the journal is written inside its context"
        line = JournalLine(cell=str(cell), round=result).model_dump_json().encode() + b"\n"
        end = self._file.tell()
        try:
            self._file.write(line)
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            os.ftruncate(self._file.fileno(), end)
            raise ResultsError(
                f"{self._path}: cannot be written ({error.strerror}): make room; earlier rounds are in it"
            ) from error
