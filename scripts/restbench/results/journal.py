"""Rounds on disk before the next begins: a later failure must not lose them."""

import os
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import BaseModel

from restbench.catalog import Cell
from restbench.errors import ResultsError
from restbench.results.rounds import Round


class JournalLine(BaseModel):
    """One line of rounds.jsonl. The kind of the round is told by its fields."""

    cell: str
    round: Round


class Journal:
    """out/rounds.jsonl of the run that is going on. A context manager: entering starts it anew. Raises ResultsError."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: FileIO | None = None

    def __enter__(self) -> Self:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            # without a buffer, which closing would write once more after the disk was full
            self._file = FileIO(self._path, "wb")
        except OSError as error:
            raise ResultsError(
                f"{self._path}: cannot be written ({error.strerror}): give another folder with --out"
            ) from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def append(self, cell: Cell, result: Round) -> None:
        """Writes a round and waits until the disk has it. Raises ResultsError; no part of the line stays then."""
        assert self._file is not None, "the journal is written inside its context"
        line = memoryview(JournalLine(cell=str(cell), round=result).model_dump_json().encode() + b"\n")
        end = self._file.tell()
        try:
            while line:
                line = line[self._file.write(line) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            self._file.truncate(end)
            self._file.seek(end)
            raise ResultsError(
                f"{self._path}: cannot be written ({error.strerror}): make room; earlier rounds are in it"
            ) from error
