"""The journal of a run: each round is on disk before the next begins.

So if a run is ended, even by `kill -9`, at most its current round is lost. The first line of `rounds.jsonl` says what
was asked for. Then there is a line for each round, and for each team whose rounds do not count. The last line says that
the run was finished.
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

from pydantic import AwareDatetime, Field, ValidationError

from restbench.catalog import Cell
from restbench.errors import ResultsError
from restbench.results.models import Machine, Record
from restbench.results.rounds import Round
from restbench.system.advice import option


class AskedLine(Record):
    """The first line: what was asked for, and on which machine.

    `entries` has a hash of each entry's files, and `beside` those of the baselines and the reference. `folders` has
    those of the entries that are outside of the checkout.
    """

    run: str
    started: AwareDatetime
    seed: int
    profile: str
    target: str
    suites: list[str]
    entries: dict[str, str]
    beside: dict[str, str] = Field({})
    folders: dict[str, str] = Field({})
    machine: Machine


class RoundLine(Record):
    """The line of a round, with its cell and the number of its team. The fields of the round tell its kind."""

    team: int
    cell: str
    round: Round


class VoidLine(Record):
    """Nothing counts that was measured so far of the team with that number."""

    void: int


class EndLine(Record):
    """The last line of a run that was finished."""

    finished: bool


RoundsByCell = Mapping[tuple[int, str], list[Round]]
"""Rounds by the number of their team and by their cell."""


@dataclass(frozen=True)
class Unfinished:
    """A run that can be resumed. `end`: how many bytes of its journal are whole lines."""

    asked: AskedLine
    rounds: RoundsByCell
    end: int


class Journal:
    """The rounds.jsonl of the current run, as a context manager. `team` is the number of the current team.

    `taken_up` is a run that is resumed: its journal is continued. Otherwise the lines are written beside the journal of
    an earlier run, and the first round replaces that journal.
    """

    def __init__(self, path: Path, taken_up: Unfinished | None = None) -> None:
        self.team = 0
        self._path = path
        self._fresh = path.with_name(f".{path.name}")
        self._taken_up = taken_up
        self._in_place = taken_up is not None
        self._waiting: Record | None = None
        self._file: FileIO | None = None

    def __enter__(self) -> Self:
        """Opens the journal. Raises ResultsError when it cannot be written."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            # a run that was killed before its first round has left its own lines, which belong to no run
            self._fresh.unlink(missing_ok=True)
            # without a buffer: after the disk was full, closing would write the buffer once more
            if self._taken_up:
                self._file = FileIO(self._path, "rb+")
                self._file.truncate(self._taken_up.end)
                self._file.seek(self._taken_up.end)
            else:
                self._file = FileIO(self._fresh, "wb")
        except OSError as error:
            remedy = f"give another folder with {option('out', 'FOLDER')}"
            raise ResultsError(f"{self._path}: cannot be written ({error.strerror}): {remedy}") from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()
        with contextlib.suppress(OSError):
            self._fresh.unlink()

    def begin(self, asked: AskedLine) -> None:
        """Sets the first line of a new journal. It is written with the first round."""
        if self._taken_up is None:
            self._waiting = asked

    def append(self, cell: Cell, result: Round) -> None:
        """Writes a round and waits until it is on disk. When it raises ResultsError, no part of the line is left."""
        self._write(RoundLine(team=self.team, cell=str(cell), round=result))

    def void(self) -> None:
        """Says that no round of the current team so far counts. Raises ResultsError when it cannot be written."""
        if self._waiting is None:  # else there is no round yet
            self._write(VoidLine(void=self.team))

    def finish(self) -> None:
        """Writes the last line: all was measured, and the results are written. Raises ResultsError when it cannot."""
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
            if not self._in_place:
                self._fresh.replace(self._path)
                self._in_place = True
            os.fsync(self._file.fileno())
        except OSError as error:
            self._file.truncate(end)
            self._file.seek(end)
            remedy = f"make room, and continue the run with {option('resume', True)}"
            raise ResultsError(f"{self._path}: cannot be written ({error.strerror}): {remedy}") from error


def read_unfinished(path: Path) -> Unfinished:
    """The run that was ended before it was finished. Raises ResultsError when there is none, or it cannot be read."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ResultsError(f"{path}: there is no run to resume ({error.strerror})") from error
    # a last line without a newline was being written when the run was killed
    end = content.rfind(b"\n") + 1
    first, *lines = content[:end].splitlines() or [b""]
    rounds: dict[tuple[int, str], list[Round]] = defaultdict(list)
    try:
        asked = AskedLine.model_validate_json(first)
        for line in lines:
            if line.startswith(b'{"finished"'):
                raise ResultsError(f"{path}: the run {asked.run} was finished: there is nothing to resume")
            if line.startswith(b'{"void"'):
                void = VoidLine.model_validate_json(line).void
                rounds = defaultdict(list, {key: seen for key, seen in rounds.items() if key[0] != void})
                continue
            found = RoundLine.model_validate_json(line)
            rounds[found.team, found.cell].append(found.round)
    except ValidationError as error:
        what = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()[:1])
        remedy = f"start anew without {option('resume', True)}"
        raise ResultsError(f"{path}: is no journal of this version ({what}): {remedy}") from error
    return Unfinished(asked, rounds, end)
