"""Builds the board from results. Only this module decides what is shown, and in which order."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from restbench.board.features import Checked, build_feature_table
from restbench.board.links import Gains, Links, links_of
from restbench.board.matrices import build_matrices
from restbench.board.models import Board, FactsRow, Reference, Section, Setting, SuiteTables
from restbench.board.order import chains_of, in_order
from restbench.board.rows import Row, Table
from restbench.catalog import Catalog, Entry, Scenario, Suite
from restbench.loadgen import OHA
from restbench.results.figures import Figures, figures_of, refused
from restbench.results.models import Ceiling, CellResult, EntryResult, Limit, Missed, RateKind, Run
from restbench.stats.intervals import Interval, median_interval


class MeasuredCell(NamedTuple):
    """The newest result of a cell. `missed` is a newer run that should have measured the entry and gave no results."""

    entry: Entry
    run: Run
    cell: CellResult
    missed: Missed | None


def build_board(
    catalog: Catalog,
    results: Iterable[EntryResult],
    links: Sequence[EntryResult] = (),
    gains: Gains | None = None,
) -> Board:
    """Builds the board from the results. Entries and cells that are no longer in the catalogue are left out.

    `links`: the results of the run that measured all baselines together. Without them, the languages are compared only
    where one run of the results measured all baselines. `gains`: what changes of baselines did to their costs.
    """
    results = list(results)
    by_setting: dict[Setting, list[MeasuredCell]] = defaultdict(list)
    never: dict[str, str] = {}
    for result in sorted(results, key=lambda r: r.entry):
        entry = catalog.entries.get(result.entry)
        if entry is None:
            continue
        cells = _in_catalogue(entry, result)
        if result.missed and not cells:
            never[entry.id] = _stale(result.missed)
        for cell in cells:
            run = result.runs[cell.run]
            by_setting[_setting(run)].append(MeasuredCell(entry, run, cell, _newest(cell.missed, result.missed)))
    sections = [
        _section(catalog, setting, cells, links_of(setting, links, results, gains or {}))
        for setting, cells in by_setting.items()
    ]
    return Board(sorted(sections, key=_importance, reverse=True), never)


def _importance(section: Section) -> tuple[bool, int, datetime, Setting]:
    """Returns the key by which sections are sorted, the largest first.

    What the service measured comes first, else the section with most entries, even if a few entries were measured later
    on another target. An entry in Docker counts twice, because the service measures there.
    """
    setting = section.setting
    entries = len(section.facts) * (2 if setting.target == "docker" else 1)
    return setting.is_services, entries, section.last, setting


def _in_catalogue(entry: Entry, result: EntryResult) -> list[CellResult]:
    known = {cell.key for cell in entry.cells(list(entry.suites))}
    return [cell for cell in result.cells if cell.key in known]


def _setting(run: Run) -> Setting:
    return Setting(run.target, run.profile, run.machine.machine_class)


def _section(catalog: Catalog, setting: Setting, cells: list[MeasuredCell], links: Links) -> Section:
    runs = [measured.run for measured in cells]
    competitors = [measured for measured in cells if measured.entry.language.manifest.ranked]
    suites = [tables for suite in catalog.suites.values() if (tables := _suite_tables(suite, competitors, links))]
    return Section(
        setting=setting,
        first=min(run.started for run in runs),
        last=max(run.started for run in runs),
        machines=list({run.machine: None for run in runs}),
        suites=suites,
        facts=sorted(_facts(competitors), key=lambda f: f.entry.id),
        latency_remark=_latency_remark(cells),
        rounds=max(_rounds(m) for m in cells),
        link_remark=_link_remark(competitors, links),
        reference=_reference(m for m in cells if not m.entry.language.manifest.ranked),
    )


def _rounds(measured: MeasuredCell) -> int:
    """How many rounds a cell had. A baseline has those of several groups, so the rounds beside them count."""
    cell = measured.cell
    own = cell.solo.count + sum(cell.refused.values())
    return min(own, len(cell.baseline.cpu_us)) if cell.baseline else own


def _link_remark(cells: Iterable[MeasuredCell], links: Links) -> str | None:
    """What is not compared, and why. None where everything is."""
    baselines = {m.cell.baseline.entry: m.entry.language.manifest.title for m in cells if m.cell.baseline}
    if not baselines:
        return "Measured by an earlier method: rows are in the order of their throughputs, and none is compared."
    lacking = sorted(title for entry, title in baselines.items() if entry not in {cell.entry for cell in links.cells})
    if len(baselines) < 2 or not lacking:
        return None
    why = "no run measured their baselines together with those of the others"
    return f"{', '.join(lacking)}: not compared with other languages, because {why}."


def _reference(cells: Iterable[MeasuredCell]) -> Reference | None:
    """How much the load generator can drive, from the first of the reference's cells. None if there is no cell."""
    first = next(iter(cells), None)
    if first is None:
        return None
    row = _row(first)
    return Reference(row.title, row.throughput, row.limit != Limit.LOAD_GENERATOR, row.failure or row.refused)


def _facts(cells: list[MeasuredCell]) -> Iterable[FactsRow]:
    """Each entry with the run that most of its cells come from, or with the newest of several such runs.

    The memory and start time of a run with few cells are not typical of the app.
    """
    entries = {measured.entry.id: measured.entry for measured in cells}
    for name, entry in entries.items():
        counts = Counter(measured.run for measured in cells if measured.entry.id == name)
        yield FactsRow(entry, max(counts, key=lambda run: (counts[run], run.started)))


def _latency_remark(cells: list[MeasuredCell]) -> str | None:
    """Why there are no latencies. None if there are some."""
    if not all(measured.run.machine.had(OHA.name) for measured in cells):
        return f"Latency at a fixed rate was not measured: {OHA.name} was missing; {OHA.remedy}."
    if not any(measured.cell.latency for measured in cells):
        return "Latency was measured by an earlier method, which had too few requests for percentiles."
    return None


def _suite_tables(suite: Suite, cells: list[MeasuredCell], links: Links) -> SuiteTables | None:
    """The tables, matrices and feature tables of a suite. None if no entry has a cell in the suite."""
    own = [measured for measured in cells if measured.cell.suite == suite.name]
    if not own:
        return None
    known = {scenario.name: scenario for scenario in suite.scenarios}
    checked: dict[str, list[Checked]] = {name: [] for name, scenario in known.items() if scenario.features}
    rows: dict[str, list[Row]] = {name: [] for name in known if name not in checked}
    for measured in own:
        name = measured.cell.scenario
        if name in checked:
            checked[name].append((measured.entry, _row_without_figures(measured), measured.cell))
        else:
            rows[name].append(_row(measured))
    columns = [(known[name], here) for name, here in rows.items()]
    return SuiteTables(
        suite.name,
        suite.title,
        suite.manifest.about,
        [table for scenario, here in columns if not scenario.column for table in _tables(suite, scenario, here, links)],
        build_matrices(columns),
        [table for name, here in checked.items() if (table := build_feature_table(known[name], here))],
        _ceilings(suite, own),
    )


def _ceilings(suite: Suite, cells: list[MeasuredCell]) -> list[Ceiling]:
    """The ceiling of the backend in each group that measured a cell of the suite. Empty if the suite has no backend."""
    if suite.manifest.backend is None:
        return []
    return list(dict.fromkeys(m.run.ceiling for m in cells if m.run.ceiling and m.cell.measured))


def _tables(suite: Suite, scenario: Scenario, rows: list[Row], links: Links) -> Iterable[Table]:
    """Yields the tables of a scenario: one, or one without a schema and one with a schema where a suite has both."""
    if not suite.manifest.without_schema:
        yield _table(scenario, "", "", rows, links)
        return
    kinds = {
        "": ("", [row for row in rows if row.cell.variant is None]),
        "raw": (", plain", [row for row in rows if row.cell.variant and not suite.has_schema(row.cell.variant)]),
        "schema": (
            ", typed and validated" if scenario.body else ", typed",
            [row for row in rows if suite.has_schema(row.cell.variant)],
        ),
    }
    for kind, (suffix, alike) in kinds.items():
        if alike:
            yield _table(scenario, kind, suffix, alike, links)


def _table(scenario: Scenario, kind: str, suffix: str, rows: list[Row], links: Links) -> Table:
    name = "-".join(filter(None, [scenario.name, kind]))
    ordered = in_order(rows, links)
    return Table(
        name=name,
        title=scenario.title + suffix,
        request=f"{scenario.method} {scenario.path}",
        rows=ordered.rows,
        schema=kind == "schema" if kind else None,
        chains=chains_of(ordered.rows, ordered.differences),
        linked=ordered.linked,
        certain=ordered.certain,
    )


def _row(measured: MeasuredCell) -> Row:
    """The row of a cell: its figures, or the reason why there are none."""
    row, cell = _bare_row(measured), measured.cell
    if cell.not_run:
        return row
    if cell.failure or not cell.measured:
        return replace(row, failure=_failure(cell))
    row = replace(
        row,
        refused=refused(cell),
        remarks=(*cell.remarks, *filter(None, [measured.entry.fewer_at_a_time(cell.solo.connections)])),
    )
    figures = figures_of(cell)
    if figures is None:
        return row
    scenario = measured.entry.scenario_of(cell.suite, cell.scenario)
    return replace(
        row,
        limit=figures.limit,
        throughput=figures.throughput,
        relative_cost=figures.relative_cost,
        seconds=figures.seconds,
        overhead=_overhead(scenario, cell, figures),
        cpu_us=figures.cpu_us,
        latency=figures.latency,
        memory_bytes=figures.memory_bytes,
    )


def _overhead(scenario: Scenario, cell: CellResult, figures: Figures) -> Interval | None:
    """Milliseconds per request above the computing or the waiting that the scenario asks for. None if not known."""
    if scenario.batch or not scenario.waits_ms:
        return figures.overhead
    common = figures.latency.get(RateKind.COMMON)
    return median_interval([common.p50 - scenario.waits_ms]) if common and common.p50 else None


def _row_without_figures(measured: MeasuredCell) -> Row:
    row, cell = _bare_row(measured), measured.cell
    return replace(row, failure=_failure(cell)) if cell.failure else row


def _failure(cell: CellResult) -> str:
    last_good = f" (last good: {cell.last_good:%Y-%m-%d})" if cell.last_good else ""
    return f"{cell.failure or 'no solo round was finished'}{last_good}"


def _bare_row(measured: MeasuredCell) -> Row:
    entry, run, cell, missed = measured
    return Row(entry, run, cell, stale=_stale(missed) if missed else None)


def _newest(*missed: Missed | None) -> Missed | None:
    """The newest of the runs that should have measured a cell: for it alone, or for its entry."""
    return max((each for each in missed if each), key=lambda each: each.started, default=None)


def _stale(missed: Missed) -> str:
    return f"the run of {missed.started:%Y-%m-%d} gave no results for it: {missed.reason}"
