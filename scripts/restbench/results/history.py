"""results/history/<yyyy-mm>.jsonl: one line per cell and run, appended once, never changed.

Keys are short and figures rounded: ten years of weekly runs of a few hundred cells stay below 100 MB.
"""

import json
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from pydantic import AwareDatetime, ValidationError

from restbench.errors import ResultsError
from restbench.results.files import write_atomically
from restbench.results.models import EntryResult, Limit, Record
from restbench.stats import Estimate
from restbench.stats.figures import figures_of

Interval = tuple[float, float, float]
"""Median, low, high."""


class HistoryLine(Record):
    """What trends and change detection need of a cell's run."""

    run: str
    at: AwareDatetime
    target: str
    profile: str
    machine: str
    entry: str
    suite: str
    scenario: str
    variant: str | None = None
    throughput: Interval | None = None
    ratio: Interval | None = None
    cpu_us: Interval | None = None
    limit: Limit | None = None
    failed: str | None = None
    version: str | None = None
    files: str
    harness: str
    cpu: str

    @property
    def key(self) -> tuple[str, str, str, str, str | None]:
        return self.run, self.entry, self.suite, self.scenario, self.variant


def history_lines(result: EntryResult) -> Iterable[HistoryLine]:
    """A line for each cell of a run's result; what a machine could not run is no history, nor are marks."""
    for cell in result.cells:
        if not (cell.rounds or cell.failure):
            continue
        run = result.runs[cell.run]
        figures = figures_of(cell) if cell.rounds and cell.failure is None else None
        yield HistoryLine(
            run=run.id,
            at=run.started,
            target=run.target,
            profile=run.profile,
            machine=run.machine.machine_class,
            entry=result.entry,
            suite=cell.suite,
            scenario=cell.scenario,
            variant=cell.variant,
            throughput=_interval(figures.throughput) if figures else None,
            ratio=_interval(figures.ratio) if figures and figures.ratio else None,
            cpu_us=_interval(figures.cpu_us) if figures else None,
            limit=figures.limit if figures else None,
            failed=cell.failure.check if cell.failure else None,
            version=run.version,
            files=run.files_hash,
            harness=run.machine.harness_hash,
            cpu=run.machine.cpu_model,
        )


def _interval(figure: Estimate) -> Interval:
    median, low, high = (float(f"{value:.5g}") for value in (figure.median, figure.low, figure.high))
    return median, low, high


def read_history(path: Path) -> list[HistoryLine]:
    """All lines of one month. Raises ResultsError that names the line that is not whole."""
    lines = []
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        try:
            lines.append(HistoryLine.model_validate_json(line))
        except ValidationError as error:
            raise ResultsError(f"{path}: line {number} is not a line of history: restore the file from git") from error
    return lines


def append_history(folder: Path, lines: Iterable[HistoryLine]) -> list[Path]:
    """Adds the lines that are not there yet, each to its month. Returns the files that changed."""
    months: dict[Path, list[HistoryLine]] = defaultdict(list)
    for line in lines:
        months[folder / f"{line.at:%Y-%m}.jsonl"].append(line)
    contents = {path: _appended(path, additions) for path, additions in months.items()}
    for path, content in contents.items():
        if content is not None:
            write_atomically(path, content)
    return [path for path, content in contents.items() if content is not None]


def _appended(path: Path, additions: list[HistoryLine]) -> bytes | None:
    """The file's content with the additions, or None where all of them are in it."""
    before = path.read_bytes() if path.is_file() else b""
    known = {line.key for line in read_history(path)} if before else set()
    added = [line for line in additions if line.key not in known]
    if not added:
        return None
    texts = (json.dumps(line.model_dump(mode="json", exclude_none=True), ensure_ascii=False) for line in added)
    return before + "".join(text + "\n" for text in texts).encode()
