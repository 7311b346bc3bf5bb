"""Converts results of schema 1 to schema 2.

Schema 1 had rounds as they were measured. It scaled them by the speed of the CPUs when they were read. It had no duet
rounds. Its latencies at a fixed rate are not converted: the rate was half of the throughput of one second of load,
before the rounds.
"""

import re
from collections.abc import Container
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from restbench.errors import ResultsError
from restbench.results.files import first_mistake
from restbench.results.history import refusal, schema_of_line
from restbench.results.models import SCHEMA_VERSION, CellResult, EntryResult, Failure, Latencies, Limit, Missed, Run
from restbench.results.rounds import SoloRound, refusals, solo_columns
from restbench.system.files import write_atomically

NO_DUETS = "measured before duet rounds"

HISTORY = "schema-1"
"""The folder under results/history that has the lines of schema 1. No figures are made from them."""

_LOAD_GENERATORS = ("wrk", "oha")
_TOOK = re.compile(r"^others took \d+% of")
_LITTLE = "Little's law:"
_ERRORS = re.compile(r"\d+ × ")


class _Old(BaseModel):
    """Base of the models of schema 1. Fields that are not converted are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False)


class Round1(_Old):
    """A round of a cell."""

    index: int
    at: AwareDatetime
    requests: int
    connections: int | None = None
    seconds: float
    throughput: float
    saturated: Latencies
    cpu_us_per_request: float
    app_cpu_share: float
    load_cpu_share: float
    contention: float
    load_contention: float
    memory_peak_bytes: int
    fixed_rate: dict[str, Any] | None = None
    overhead_ms: float | None = None
    limit: Limit
    invalid: list[str] = Field([])


class Cell1(_Old):
    """All rounds of a cell in one run."""

    run: str
    suite: str
    scenario: str
    variant: str | None
    rounds: list[Round1] = Field([])
    marks: dict[str, bool] = Field({})
    failure: Failure | None = None
    not_run: str | None = None
    last_good: AwareDatetime | None = None


def _with_load_generators(run: Any) -> Any:
    """The run with its machine in the form of schema 2. Schema 1 had a field for each load generator."""
    machine = run.get("machine") if isinstance(run, dict) else None
    if not isinstance(machine, dict):
        return run
    kept = {key: value for key, value in machine.items() if key not in _LOAD_GENERATORS}
    versions = [f"{name} {machine[name]}" for name in _LOAD_GENERATORS if machine.get(name)]
    return {**run, "machine": {**kept, "load_generators": versions}}


class Entry1(_Old):
    """results/latest/<language>/<framework>.json"""

    schema_version: Literal[1]
    entry: str
    runs: dict[str, Annotated[Run, BeforeValidator(_with_load_generators)]]
    cells: list[Cell1]
    missed: Missed | None = None


@dataclass(frozen=True)
class Counts:
    """How many rounds there are, how many of them do not count, and how many had latencies at a fixed rate."""

    rounds: int = 0
    refused: int = 0
    latencies: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(self.rounds + other.rounds, self.refused + other.refused, self.latencies + other.latencies)


@dataclass(frozen=True)
class Conversion:
    """How the cells of an entry are converted. Both fields have pairs of suite and scenario.

    `overhead`: scenarios whose overhead is kept. `duets`: scenarios that would have duet rounds today.
    """

    overhead: Container[tuple[str, str]]
    duets: Container[tuple[str, str]]


def read_entry(path: Path, document: Any) -> Entry1:
    """A result of schema 1. Raises ResultsError when the document is not one."""
    try:
        return Entry1.model_validate(document)
    except ValidationError as error:
        raise ResultsError(f"{path}: is not a result of schema 1: {first_mistake(error)}") from error


def convert(old: Entry1, how: Conversion) -> EntryResult:
    """The result in schema 2. Rounds that count are as they were measured, at any speed of the CPUs."""
    cells = [_cell(cell, old.runs[cell.run], how) for cell in old.cells]
    return EntryResult(entry=old.entry, runs=old.runs, cells=cells, missed=old.missed)


def count(old: Entry1) -> Counts:
    """Counts the rounds of a result."""
    rounds = [each for cell in old.cells for each in cell.rounds]
    return Counts(len(rounds), sum(bool(r.invalid) for r in rounds), sum(r.fixed_rate is not None for r in rounds))


def _cell(cell: Cell1, run: Run, how: Conversion) -> CellResult:
    place = cell.suite, cell.scenario
    overhead = place in how.overhead and all(each.overhead_ms is not None for each in cell.rounds)
    rounds = [_solo(each, keep_overhead=overhead) for each in cell.rounds]
    return CellResult(
        run=cell.run,
        suite=cell.suite,
        scenario=cell.scenario,
        variant=cell.variant,
        solo=solo_columns(rounds, run.started),
        refused=refusals(rounds),
        no_duets=NO_DUETS if rounds and not cell.failure and place in how.duets else None,
        features=cell.marks,
        failure=cell.failure,
        not_run=cell.not_run,
        last_good=cell.last_good,
    )


def _solo(old: Round1, *, keep_overhead: bool) -> SoloRound:
    return SoloRound(
        index=old.index,
        at=old.at,
        requests=old.requests,
        connections=old.connections or 0,
        seconds=old.seconds,
        throughput=old.throughput,
        saturated=old.saturated,
        cpu_us=old.cpu_us_per_request,
        app_cpu=old.app_cpu_share,
        load_cpu=old.load_cpu_share,
        contention=old.contention,
        load_contention=old.load_contention,
        memory_bytes=old.memory_peak_bytes,
        overhead_ms=old.overhead_ms if keep_overhead else None,
        limit=old.limit,
        invalid=[_reason(text) for text in old.invalid],
    )


def _reason(text: str) -> str:
    """A reason without the figures of its round, as reasons are today. So equal reasons are counted together."""
    if text.startswith(_LITTLE):
        return "rate × latency does not give the number of connections (Little's law)"
    return _ERRORS.sub("", _TOOK.sub("others used", text))


def set_history_apart(folder: Path) -> list[Path]:
    """Moves lines of schema 1, unchanged, from <folder>/<month>.jsonl to <folder>/schema-1/<month>.jsonl.

    Returns the files that changed. Raises ResultsError, having changed nothing, when a line cannot be read.
    """
    contents: dict[Path, bytes] = {}
    for path in sorted(folder.glob("*.jsonl")):
        old, others = _by_schema(path)
        if old:
            apart = folder / HISTORY / path.name
            there = apart.read_bytes().splitlines() if apart.is_file() else []
            contents[apart] = _joined([*there, *(line for line in old if line not in there)])
            contents[path] = _joined(others)
    for path, content in contents.items():
        if content:
            write_atomically(path, content)
        else:
            path.unlink()
    return list(contents)


def _by_schema(path: Path) -> tuple[list[bytes], list[bytes]]:
    """The lines of schema 1, and those of the current schema. Raises ResultsError for any other line."""
    old: list[bytes] = []
    others: list[bytes] = []
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        version = schema_of_line(line)
        if version not in (1, SCHEMA_VERSION):
            raise refusal(path, number, line)
        (old if version == 1 else others).append(line)
    return old, others


def _joined(lines: list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)
