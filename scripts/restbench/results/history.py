"""results/history/<yyyy-mm>.jsonl: what the runs of a month found.

Lines are appended once and do not change. Only the line of an entry in a run that was resumed is replaced, by one with
more rounds. A run's line comes before the lines of its entries. Ten years of weekly runs of 40 entries with 23 cells
take less than 60 MB. Read them month by month. There are two kinds of lines, `RunLine` and `EntryLine`:

{"v":3,"run":…,"at":…,"target":"docker","profile":"full","cpu":…,…}                     a run's environment
{"v":3,"entry":"rust/axum","run":…,"version":…,"cells":{"hello/hello_world":[…],…}}     what it found of an entry
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import AwareDatetime, Field, FiniteFloat, TypeAdapter, ValidationError

from restbench.catalog import CellKey
from restbench.errors import ResultsError
from restbench.results.figures import cost_of_run, figures_of, is_own
from restbench.results.files import check_schema, compact_json, schema_of, trimmed
from restbench.results.models import SCHEMA_VERSION, CellResult, Commit, EntryResult, Limit, Record
from restbench.results.rounds import round_to
from restbench.stats.intervals import ROUNDS_FOR_MEDIAN, Interval, Kind
from restbench.system.files import write_atomically


class CellFigures(NamedTuple):
    """The figures of a cell in one run. A line has them as an array; values at its end that are defaults are left out.

    Throughput is in requests per second, for a batch over its whole time. `cpu_us` is in microseconds per request. Both
    are medians of `rounds` rounds. From six rounds on, the bounds of `cpu_us` are a 95 % interval. With fewer rounds,
    they are the smallest and the largest round. The relative cost is that of this run alone, from its rounds and from
    `baseline_rounds` rounds of the baseline, because a line says what one run found, and a trend of figures that are
    pooled would show each change late. The board pools up to eight runs. Its interval is one of 95 %.
    """

    rounds: int
    throughput: FiniteFloat
    cpu_us: FiniteFloat
    cpu_us_low: FiniteFloat
    cpu_us_high: FiniteFloat
    baseline_rounds: int = 0
    relative_cost: FiniteFloat | None = None
    relative_cost_low: FiniteFloat | None = None
    relative_cost_high: FiniteFloat | None = None
    limit: Limit = Limit.APP

    @property
    def cpu_us_interval(self) -> Interval:
        kind = Kind.INTERVAL if self.rounds >= ROUNDS_FOR_MEDIAN else Kind.RANGE if self.rounds > 1 else Kind.SINGLE
        return Interval(self.cpu_us, self.cpu_us_low, self.cpu_us_high, self.rounds, kind)

    @property
    def relative_cost_interval(self) -> Interval | None:
        """None where the cell has no relative cost."""
        middle, low, high = self.relative_cost, self.relative_cost_low, self.relative_cost_high
        if middle is None or low is None or high is None:
            return None
        kind = Kind.INTERVAL if low < high else Kind.SINGLE
        return Interval(middle, low, high, min(self.rounds, self.baseline_rounds), kind)


class RunLine(Record):
    """The line of a run: its environment."""

    v: Literal[3] = SCHEMA_VERSION
    run: str
    at: AwareDatetime = Field(description="when the run started")
    target: Literal["native", "docker"]
    profile: str
    machine: str = Field(description="machine class; figures of two classes never share a series")
    cpu: str = Field(description="CPU model")
    cpus: int
    pinned: bool = Field(True, description="whether app and load generator had CPUs of their own")
    memory: int = Field(description="memory of the machine in bytes")
    kernel: str
    runner: str | None = None
    docker: str | None = None
    load_generators: tuple[str, ...] = Field((), description="name and version of each that was installed")
    restbench: str
    harness: str = Field(description="hash of the harness")
    commit: Commit | None = Field(None, description="the commit that was measured, where it is known")


class EntryLine(Record):
    """The line of an entry: what a run found of it."""

    v: Literal[3] = SCHEMA_VERSION
    entry: str
    run: str
    version: str | None = Field(None, description="version of the framework")
    runtime: str | None = None
    build: str | None = Field(None, description="how the runtime was built")
    files: str = Field(description="hash of the entry's own and its language's shared files")
    size: int | None = Field(None, description="bytes of the files of the image, or of the native environment")
    baseline: str | None = Field(
        None, description="the entry that relative costs are relative to, and the hash of its files"
    )
    contracts: dict[str, int] = Field({}, description="suite → the number of its contract, where that is not 1")
    cells: dict[str, CellFigures | str | None] = Field(
        description="by suite/scenario or suite/scenario/variant; a text is the name of the check that failed, null is "
        "a cell without a solo round that counts"
    )

    @property
    def figures(self) -> dict[CellKey, CellFigures]:
        """The cells that have figures."""
        return {CellKey.parse(name): cell for name, cell in self.cells.items() if isinstance(cell, CellFigures)}

    @property
    def contracts_of_suites(self) -> dict[str, int]:
        """The number of the contract of each suite that it has cells of."""
        return {suite: self.contracts.get(suite, 1) for suite in map(suite_of, self.cells)}

    @property
    def rounds(self) -> int:
        """How many rounds of all cells count."""
        return sum(cell.rounds for cell in self.figures.values())

    @property
    def failed(self) -> dict[CellKey, str]:
        """The cells that failed, with the name of the check that failed."""
        return {CellKey.parse(name): cell for name, cell in self.cells.items() if isinstance(cell, str)}


def suite_of(cell: str) -> str:
    """The suite of a cell, by the name that lines have."""
    return cell.partition("/")[0]


class Found(NamedTuple):
    """The two lines that say what one run found of one entry."""

    run: RunLine
    entry: EntryLine


def history_lines(result: EntryResult) -> Iterable[Found]:
    """The lines of each run of a result, without cells that were not run or that have only feature checks."""
    for run in result.runs.values():
        cells = [cell for cell in result.cells if cell.run == run.id and (cell.measured or cell.failure)]
        if not cells:
            continue
        machine = run.machine
        of_run = RunLine(
            run=run.id,
            at=run.started,
            target=run.target,
            profile=run.profile,
            machine=machine.machine_class,
            cpu=machine.cpu_model,
            cpus=machine.cpus,
            pinned=machine.pinned,
            memory=machine.memory_bytes,
            kernel=machine.kernel,
            runner=machine.runner,
            docker=machine.docker,
            load_generators=machine.load_generators,
            restbench=machine.restbench,
            harness=machine.harness_hash,
            commit=machine.commit,
        )
        of_entry = EntryLine(
            entry=result.entry,
            run=run.id,
            version=run.version,
            runtime=run.runtime,
            build=run.runtime_build,
            files=run.files_hash,
            size=run.size_bytes,
            contracts={cell.suite: cell.contract for cell in cells if cell.contract > 1},
            baseline=next((f"{c.baseline.entry} {c.baseline.files_hash}" for c in cells if c.baseline), None),
            cells={str(cell.key): _cell(result.entry, cell) for cell in cells},
        )
        yield Found(of_run, of_entry)


def _cell(entry: str, cell: CellResult) -> CellFigures | str | None:
    if cell.failure:
        return cell.failure.check
    figures = figures_of(entry, cell)
    if figures is None:
        return None
    bounds = (round_to(figures.throughput.middle), *_rounded(figures.cpu_us))
    solo = CellFigures(cell.solo.count, *bounds, limit=figures.limit)
    found = cost_of_run(cell)
    if found is None or is_own(entry, cell):
        return solo
    middle, low, high = _rounded(found.interval())
    return solo._replace(
        baseline_rounds=found.other.n, relative_cost=middle, relative_cost_low=low, relative_cost_high=high
    )


def _rounded(figure: Interval) -> tuple[float, float, float]:
    return round_to(figure.middle), round_to(figure.low), round_to(figure.high)


def dump_line(line: RunLine | EntryLine) -> str:
    """The line as JSON, without a newline. Fields that have their default are left out."""
    document = line.model_dump(mode="json", exclude_defaults=True)
    if isinstance(line, EntryLine):
        document["cells"] = {
            name: trimmed(cell) if isinstance(cell, CellFigures) else cell for name, cell in line.cells.items()
        }
    return compact_json({"v": SCHEMA_VERSION, **document})


LINE: TypeAdapter[RunLine | EntryLine] = TypeAdapter(RunLine | EntryLine)


@dataclass
class History:
    """The lines of one file. `runs` has the lines of runs by their id. It has the run of each line in `entries`.

    `damage` says in one line what of the file cannot be read, and is None where all can.
    """

    runs: dict[str, RunLine] = field(default_factory=dict)
    entries: list[EntryLine] = field(default_factory=list)
    damage: str | None = None


def read_history(path: Path) -> History:
    """All lines of one month that can be read.

    A line that is not whole, has another schema, is no line of history, or has no line of its run before it is left
    out. Empty lines are nothing.
    """
    history = History()
    wrong: list[str] = []
    try:
        content = path.read_bytes()
    except OSError as error:
        return History(damage=f"{path}: cannot be read ({error.strerror})")
    for number, text in enumerate(content.splitlines(), start=1):
        try:
            line = _parsed(f"line {number}", text) if text.strip() else None
        except ResultsError as error:
            wrong.append(error.message)
            continue
        if isinstance(line, RunLine):
            history.runs[line.run] = line
        elif line and line.run in history.runs:
            history.entries.append(line)
        elif line:
            wrong.append(f"line {number}: its run has no line before it: restore the file from git")
    if wrong:
        more = f"; {len(wrong) - 1} more cannot be read either" if len(wrong) > 1 else ""
        history.damage = f"{path}: {wrong[0]}{more}"
    return history


def _parsed(where: str, text: bytes) -> RunLine | EntryLine:
    """The line. Raises ResultsError, with `where` at the beginning, when it is no line of history."""
    try:
        return LINE.validate_json(text)
    except ValidationError as error:
        with suppress(ValueError, RecursionError):  # it may be no JSON
            check_schema(where, schema_of(json.loads(text), "v"))
        raise ResultsError(f"{where} is not a whole line of history: restore the file from git") from error


def append_history(folder: Path, found: Iterable[Found]) -> list[Path]:
    """Appends the lines that are not there yet, each to the month in which its run started.

    Returns the files that changed. What cannot be read stays as it is.
    """
    months: dict[Path, list[Found]] = defaultdict(list)
    for lines in found:
        months[folder / f"{lines.run.at:%Y-%m}.jsonl"].append(lines)
    contents = {path: _appended(path, additions) for path, additions in months.items()}
    for path, content in contents.items():
        if content is not None:
            write_atomically(path, content)
    return [path for path, content in contents.items() if content is not None]


def _appended(path: Path, additions: list[Found]) -> bytes | None:
    """The file's content with the additions; None where it already has all of them."""
    before = path.read_bytes() if path.is_file() else b""
    history = read_history(path) if before else History()
    runs, known = set(history.runs), {(line.run, line.entry): line for line in history.entries}
    added: list[str] = []
    replaced: dict[tuple[str, str], EntryLine] = {}
    for lines in additions:
        key = lines.run.run, lines.entry.entry
        if (old := known.get(key)) is None:
            if lines.run.run not in runs:
                runs.add(lines.run.run)
                added.append(dump_line(lines.run))
            added.append(dump_line(lines.entry))
        elif lines.entry.rounds > old.rounds:
            replaced[key] = lines.entry
        else:
            continue
        known[key] = lines.entry
    if not added and not replaced:
        return None
    content = _with_replaced(before, replaced) if replaced else before
    end = b"" if content.endswith(b"\n") or not content else b"\n"
    return content + end + "".join(f"{text}\n" for text in added).encode()


def _with_replaced(content: bytes, replaced: Mapping[tuple[str, str], EntryLine]) -> bytes:
    """The lines of a file, of which those of some runs and entries are replaced."""

    def line(text: bytes) -> bytes:
        try:
            found = _parsed("", text)
        except ResultsError:
            return text
        new = replaced.get((found.run, found.entry)) if isinstance(found, EntryLine) else None
        return dump_line(new).encode() if new else text

    return b"".join(line(text) + b"\n" for text in content.splitlines())
