"""Results → board: the one place that decides order, ranks, ties, percent, limits and failures."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from restbench.board.grades import Graded, build_grades
from restbench.board.matrices import build_matrices
from restbench.board.models import Board, FactsRow, Row, Section, Setting, SuiteTables, Table
from restbench.catalog import RAW, Catalog, Entry, Scenario, Suite
from restbench.results.models import Ceiling, CellResult, EntryResult, Limit, Missed, Run
from restbench.stats import shared_ranks
from restbench.stats.figures import figures_of

OWN_SERVER = "its own"
"""What is shown where an entry has a start command in place of one of its language's servers."""


class Measured(NamedTuple):
    """A cell's newest result. `missed`: the newer run that was to measure the entry, and brought nothing."""

    entry: Entry
    run: Run
    cell: CellResult
    missed: Missed | None


def build_board(catalog: Catalog, results: Iterable[EntryResult]) -> Board:
    """The board of those results. An entry that is no longer in the catalogue is left out: its folder was removed."""
    by_setting: dict[Setting, list[Measured]] = defaultdict(list)
    never: dict[str, str] = {}
    for result in sorted(results, key=lambda r: r.entry):
        if entry := catalog.entries.get(result.entry):
            if result.missed and not result.cells:
                never[entry.id] = _stale(result.missed)
            for cell in result.cells:
                run = result.runs[cell.run]
                by_setting[_setting(run)].append(Measured(entry, run, cell, result.missed))
    sections = [_section(catalog, setting, cells) for setting, cells in by_setting.items()]
    # what most was measured in comes first: a few entries on another target are no news about the board
    return Board(sorted(sections, key=lambda s: (len(s.facts), s.last, s.setting), reverse=True), never)


def _setting(run: Run) -> Setting:
    return Setting(run.target, run.profile, run.machine.machine_class)


def _section(catalog: Catalog, setting: Setting, cells: list[Measured]) -> Section:
    runs = [measured.run for measured in cells]
    suites = [tables for suite in catalog.suites.values() if (tables := _suite_tables(suite, cells))]
    machines = list({run.machine: None for run in runs})
    facts = [_facts(entry, run) for entry, run in _main_runs(cells) if entry.language.manifest.ranked]
    return Section(
        setting=setting,
        first=min(run.started for run in runs),
        last=max(run.started for run in runs),
        machines=machines,
        suites=suites,
        facts=sorted(facts, key=lambda f: f.entry),
        latency_remark=_latency_remark(runs),
        rounds=max((len(measured.cell.rounds) for measured in cells), default=0),
    )


def _main_runs(cells: list[Measured]) -> Iterable[tuple[Entry, Run]]:
    """Each entry with the run that most of its cells come from, the newest of several such: what an app used in a run
    of a few cells is not what it uses."""
    entries = {measured.entry.id: measured.entry for measured in cells}
    for name, entry in entries.items():
        counts = Counter(measured.run for measured in cells if measured.entry.id == name)
        yield entry, max(counts, key=lambda run: (counts[run], run.started))


def _latency_remark(runs: list[Run]) -> str | None:
    if any(run.machine.oha is None for run in runs):
        return "Latency at a fixed rate was not measured: oha is missing, run `make tools`."
    return None


def _suite_tables(suite: Suite, cells: list[Measured]) -> SuiteTables | None:
    """The suite's tables and matrices, or None where no competitor has a cell in it."""
    known = {scenario.name: scenario for scenario in suite.scenarios}
    own = [m for m in cells if m.cell.suite == suite.name and m.cell.scenario in known]
    graded: dict[str, list[Graded]] = {name: [] for name, scenario in known.items() if scenario.graded}
    rows: dict[str, list[Row]] = {name: [] for name in known if name not in graded}
    for measured in own:
        entry, _, cell, _ = measured
        if cell.scenario in graded:
            graded[cell.scenario].append((entry, _graded_row(measured), cell))
        else:
            rows[cell.scenario].append(_row(measured))
    columns = [(known[name], here) for name, here in rows.items()]
    if not any(graded.values()) and all(row.reference for here in rows.values() for row in here):
        return None
    tables = [table for scenario, here in columns if not scenario.column for table in _tables(scenario, here)]
    return SuiteTables(
        suite.name,
        suite.title,
        suite.manifest.about,
        tables,
        build_matrices(columns),
        [grades for name, here in graded.items() if (grades := build_grades(known[name], here))],
        _ceilings(suite, own),
    )


def _ceilings(suite: Suite, cells: list[Measured]) -> list[Ceiling]:
    """What the suite's backend gave in each job that measured one of its cells; none where it needs no backend."""
    if suite.manifest.backend is None:
        return []
    return list(dict.fromkeys(m.run.ceiling for m in cells if m.run.ceiling and m.cell.rounds))


def _tables(scenario: Scenario, rows: list[Row]) -> Iterable[Table]:
    """A scenario's table; two where its rows are variants: what has no schema competes with its like alone."""
    kinds = {
        "": ("", [row for row in rows if row.variant is None]),
        "raw": (", without schema", [row for row in rows if row.variant == RAW]),
        "schema": (", with schema", [row for row in rows if row.variant not in (None, RAW)]),
    }
    for kind, (words, alike) in kinds.items():
        if any(not row.reference for row in alike):
            name = "-".join(filter(None, [scenario.name, kind]))
            request = f"{scenario.method} {scenario.path}"
            yield Table(name, scenario.title + words, request, _in_order(alike))


def _in_order(rows: list[Row]) -> list[Row]:
    ranked = _ranked([row for row in rows if _can_rank(row)])
    others = [row for row in rows if not _can_rank(row)]
    measured = sorted(
        (row for row in others if row.throughput), key=lambda r: -(r.throughput.median if r.throughput else 0)
    )
    return ranked + measured + sorted((row for row in others if not row.throughput), key=lambda r: r.label)


def _can_rank(row: Row) -> bool:
    if row.throughput is None or row.limit != Limit.APP or row.reference:
        return False
    # of several rounds a single one that counts has no interval, and would look certain
    return row.rounds_counted > 1 or row.rounds == 1


def _ranked(rows: list[Row]) -> list[Row]:
    """Rows by median throughput, with rank, percent of the best, and times the slowest."""
    estimates = [row.throughput for row in rows if row.throughput]
    best = max((e.median for e in estimates), default=1.0)
    slowest = min((e.median for e in estimates), default=1.0)
    placed = [
        replace(row, rank=rank, percent_of_best=100 * e.median / best, times_slowest=e.median / slowest)
        for row, e, rank in zip(rows, estimates, shared_ranks(estimates), strict=True)
    ]
    return sorted(placed, key=lambda row: (-(row.percent_of_best or 0), row.label))


def _row(measured: Measured) -> Row:
    """A cell with its figures, or why there are none."""
    row, entry, cell = _bare_row(measured), measured.entry, measured.cell
    if cell.not_run:
        return replace(row, not_run=cell.not_run)
    if cell.failure or not cell.rounds:
        return replace(row, failure=_failure(cell))
    figures = figures_of(cell)
    return replace(
        row,
        throughput=figures.throughput,
        ratio=figures.ratio,
        seconds=figures.seconds if entry.scenario_of(cell.suite, cell.scenario).batch else None,
        overhead=figures.overhead,
        fixed_rate=figures.fixed_rate,
        saturated=figures.saturated,
        cpu_us=figures.cpu_us,
        memory_bytes=figures.memory_bytes,
        limit=figures.limit,
        rounds_counted=len(figures.counted),
        remark=figures.remark,
    )


def _graded_row(measured: Measured) -> Row:
    row, cell = _bare_row(measured), measured.cell
    return replace(row, not_run=cell.not_run, failure=_failure(cell) if cell.failure else None)


def _failure(cell: CellResult) -> str:
    last_good = f" (last good: {cell.last_good:%Y-%m-%d})" if cell.last_good else ""
    return f"{cell.failure or 'no round was finished'}{last_good}"


def _bare_row(measured: Measured) -> Row:
    entry, run, cell, missed = measured
    return Row(
        entry=entry.id,
        title=entry.title,
        language=entry.language.manifest.title,
        homepage=entry.manifest.homepage,
        version=run.version,
        unmaintained=entry.manifest.status == "unmaintained",
        reference=not entry.language.manifest.ranked,
        variant=cell.variant,
        measured=run.started,
        rounds=len(cell.rounds),
        stale=_stale(missed) if missed else None,
    )


def _stale(missed: Missed) -> str:
    return f"the run of {missed.started:%Y-%m-%d} brought nothing of it: {missed.reason}"


def _facts(entry: Entry, run: Run) -> FactsRow:
    return FactsRow(
        entry=entry.id,
        title=entry.title,
        language=entry.language.manifest.title,
        homepage=entry.manifest.homepage,
        documentation=entry.manifest.documentation or entry.manifest.homepage,
        source=entry.manifest.source,
        version=run.version,
        interface=entry.manifest.interface,
        server=entry.manifest.server or OWN_SERVER,
        openapi=entry.writes_openapi,
        unmaintained=entry.manifest.status == "unmaintained",
        released=run.released,
        licence=run.licence,
        packages=run.packages,
        code_lines=run.code_lines,
        build_seconds=run.build_seconds,
        idle_cpu_share=run.idle_cpu_share,
        start_seconds=run.start_seconds,
        memory_start_bytes=run.memory_start_bytes,
        memory_peak_bytes=run.memory_peak_bytes,
        memory_after_bytes=run.memory_after_bytes,
        size_bytes=run.size_bytes,
    )
