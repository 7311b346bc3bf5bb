"""The lines of results/history/<yyyy-mm>.jsonl. There are two kinds, `RunLine` and `EntryLine`:

{"v":3,"run":…,"at":…,"target":"docker","profile":"full","cpu":…,…}                     a run's environment
{"v":3,"entry":"rust/axum","run":…,"version":…,"cells":{"hello/hello_world":[…],…}}     what it found of an entry
"""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from pydantic import AwareDatetime, Field, FiniteFloat

from restbench.catalog import CellKey
from restbench.results.figures import figures_of
from restbench.results.files import compact_json
from restbench.results.models import SCHEMA_VERSION, CellResult, Commit, EntryResult, Limit, Record, Run
from restbench.results.rounds import round_to
from restbench.stats.intervals import ROUNDS_FOR_MEDIAN, Interval, Kind


class CellFigures(NamedTuple):
    """The figures of a cell in one run. A line has them as an array; values at its end that are defaults are left out.

    Throughput is in requests per second, for a batch over its whole time. `cpu_us` is in microseconds per request. Both
    are medians of `rounds` rounds. From six rounds on, the bounds of `cpu_us` are a 95 % interval. With fewer rounds,
    they are the smallest and the largest round. The relative cost is the ratio of geometric means: of the cell's
    rounds, and of `baseline_rounds` rounds of the baseline. Its interval is one of 95 %.
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
        return Interval(middle, low, high, min(self.rounds, self.baseline_rounds), Kind.INTERVAL)


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
    size: int | None = Field(None, description="size of the image, or of the native environment, in bytes")
    baseline: str | None = Field(
        None, description="the entry that relative costs are relative to, and the hash of its files"
    )
    cells: dict[str, CellFigures | str | None] = Field(
        description="by suite/scenario or suite/scenario/variant; a text is the name of the check that failed, null is "
        "a cell without a solo round that counts"
    )

    @property
    def figures(self) -> dict[CellKey, CellFigures]:
        """The cells that have figures."""
        return {CellKey.parse(name): cell for name, cell in self.cells.items() if isinstance(cell, CellFigures)}

    @property
    def rounds(self) -> int:
        """How many rounds of all cells count."""
        return sum(cell.rounds for cell in self.figures.values())

    @property
    def failed(self) -> dict[CellKey, str]:
        """The cells that failed, with the name of the check that failed."""
        return {CellKey.parse(name): cell for name, cell in self.cells.items() if isinstance(cell, str)}


class Found(NamedTuple):
    """The two lines that say what one run found of one entry."""

    run: RunLine
    entry: EntryLine


def history_lines(result: EntryResult) -> Iterable[Found]:
    """The lines of each run of a result, without cells that were not run or that have only feature checks."""
    for run in result.runs.values():
        cells = [cell for cell in result.cells if cell.run == run.id and (cell.measured or cell.failure)]
        if cells:
            yield Found(_run_line(run), _entry_line(result.entry, run, cells))


def _run_line(run: Run) -> RunLine:
    machine = run.machine
    return RunLine(
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


def _entry_line(entry: str, run: Run, cells: Sequence[CellResult]) -> EntryLine:
    return EntryLine(
        entry=entry,
        run=run.id,
        version=run.version,
        runtime=run.runtime,
        build=run.runtime_build,
        files=run.files_hash,
        size=run.size_bytes,
        baseline=next((f"{c.baseline.entry} {c.baseline.files_hash}" for c in cells if c.baseline), None),
        cells={str(cell.key): _cell(entry, cell) for cell in cells},
    )


def _cell(entry: str, cell: CellResult) -> CellFigures | str | None:
    if cell.failure:
        return cell.failure.check
    figures = figures_of(cell)
    if figures is None:
        return None
    bounds = (round_to(figures.throughput.middle), *_rounded(figures.cpu_us))
    solo = CellFigures(cell.solo.count, *bounds, limit=figures.limit)
    if figures.relative_cost is None or cell.baseline is None or cell.baseline.is_of(entry, cell.variant):
        return solo
    middle, low, high = _rounded(figures.relative_cost)
    return solo._replace(
        baseline_rounds=len(cell.baseline.cpu_us),
        relative_cost=middle,
        relative_cost_low=low,
        relative_cost_high=high,
    )


def _rounded(figure: Interval) -> tuple[float, float, float]:
    return round_to(figure.middle), round_to(figure.low), round_to(figure.high)


def dump_line(line: RunLine | EntryLine) -> str:
    """The line as JSON, without a newline. Fields that have their default are left out."""
    document = line.model_dump(mode="json", exclude_defaults=True)
    if isinstance(line, EntryLine):
        document["cells"] = {name: _trimmed(cell) for name, cell in line.cells.items()}
    return compact_json({"v": SCHEMA_VERSION, **document})


def _trimmed(cell: CellFigures | str | None) -> object:
    if not isinstance(cell, CellFigures):
        return cell
    values, defaults = list(cell), list(CellFigures._field_defaults.values())
    while defaults and values[-1] == defaults.pop():
        values.pop()
    return values
