"""Rounds on disk before the next begins: what ends a run, even `kill -9`, loses at most the round that was going on.

`rounds.jsonl` has a line that tells what was asked for, a line for each round, and at its end one that says so.
"""

import contextlib
import os
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import AwareDatetime, ValidationError

from restbench.catalog import Cell
from restbench.errors import ResultsError
from restbench.results.models import Machine, Record
from restbench.results.rounds import Round


class RunLine(Record):
    """The first line: what was asked for, and of what. `entries` has a hash of each entry's files."""

    run: str
    started: AwareDatetime
    seed: int
    profile: str
    target: str
    suites: list[str]
    entries: dict[str, str]
    machine: Machine


class RoundLine(Record):
    """A round of a cell, with the number of the group that it was in. The kind of the round is told by its fields."""

    group: int
    cell: str
    round: Round


class EndLine(Record):
    """The last line of a run that was finished."""

    finished: bool


Kept = Mapping[tuple[int, str], list[Round]]
"""Rounds by the number of their group and their cell."""


@dataclass(frozen=True)
class Unfinished:
    """A run that can be taken up. `end`: how many bytes of its journal are whole lines."""

    asked: RunLine
    rounds: Kept
    end: int


class Journal:
    """The rounds.jsonl of the run that is going on. A context manager; `group` is the number of the group that goes on.

    What an earlier run left there is replaced by the first round, unless it is the run that is taken up.
    """

    def __init__(self, path: Path, taken_up: Unfinished | None = None) -> None:
        self.group = 0
        self._path = path
        self._fresh = path.with_name(f".{path.name}")
        self._taken_up = taken_up
        self._waiting: Record | None = None
        self._file: FileIO | None = None

    def __enter__(self) -> Self:
        """Raises ResultsError where nothing can be written there."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            # without a buffer, which closing would write once more after the disk was full
            if self._taken_up:
                self._file = FileIO(self._path, "rb+")
                self._file.truncate(self._taken_up.end)
                self._file.seek(self._taken_up.end)
            else:
                self._file = FileIO(self._fresh, "wb")
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
        with contextlib.suppress(OSError):
            self._fresh.unlink()

    def begin(self, asked: RunLine) -> None:
        """Tells what is asked for; it is written with the first round."""
        if self._taken_up is None:
            self._waiting = asked

    def append(self, cell: Cell, result: Round) -> None:
        """Writes a round and waits until the disk has it. Raises ResultsError; no part of the line stays then."""
        self._write(RoundLine(group=self.group, cell=str(cell), round=result))

    def finish(self) -> None:
        """Says that all was measured, and that results of it are written. Raises ResultsError."""
        self._write(EndLine(finished=True))

    def _write(self, record: Record) -> None:
        assert self._file is not None, "the journal is written inside its context"
        records = [record] if self._waiting is None else [self._waiting, record]
        lines = memoryview(b"".join(each.model_dump_json().encode() + b"\n" for each in records))
        end = self._file.tell()
        try:
            while lines:
                lines = lines[self._file.write(lines) :]
            self._waiting = None
            if self._fresh.exists():
                self._fresh.replace(self._path)
            os.fsync(self._file.fileno())
        except OSError as error:
            self._file.truncate(end)
            self._file.seek(end)
            raise ResultsError(
                f"{self._path}: cannot be written ({error.strerror}): make room, and take the run up with --resume"
            ) from error


def read_unfinished(path: Path) -> Unfinished:
    """The run that was ended before it was finished. Raises ResultsError where there is none."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ResultsError(f"{path}: there is no run to take up ({error.strerror})") from error
    # a line without its end was being written when the run was killed
    end = content.rfind(b"\n") + 1
    first, *lines = content[:end].splitlines() or [b""]
    rounds: dict[tuple[int, str], list[Round]] = defaultdict(list)
    try:
        asked = RunLine.model_validate_json(first)
        for line in lines:
            if line.startswith(b'{"finished"'):
                raise ResultsError(f"{path}: the run {asked.run} was finished: there is nothing to take up")
            found = RoundLine.model_validate_json(line)
            rounds[found.group, found.cell].append(found.round)
    except ValidationError as error:
        what = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()[:1])
        raise ResultsError(f"{path}: is no journal of this version ({what}): start anew without --resume") from error
    return Unfinished(asked, rounds, end)
