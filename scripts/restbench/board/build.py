"""Builds the board from results. Only this module decides what is shown, and in which order."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import groupby

from restbench.board.estimates import PROCESS
from restbench.board.links import Gains, Links, links_of
from restbench.board.models import (
    Board,
    FactsRow,
    FeatureLine,
    FeatureTable,
    Matrix,
    MatrixLine,
    Reference,
    Section,
    Setting,
    SuiteTables,
    Support,
    Total,
)
from restbench.board.order import chains_of, in_order
from restbench.board.rows import Row, Table, newest_contract
from restbench.catalog import Catalog, Entry, Scenario, Suite
from restbench.loadgen import OHA
from restbench.results.figures import Figures, figures_of, refused
from restbench.results.models import CellResult, EntryResult, Limit, Missed, RateKind, Run
from restbench.stats.estimates import Estimate, Part, certainly_faster, moderated, usual_variance
from restbench.stats.intervals import Interval, log_sample, median_interval


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
    by_setting: dict[Setting, list[Row]] = defaultdict(list)
    never: dict[str, str] = {}
    for result in sorted(results, key=lambda r: r.entry):
        entry = catalog.entries.get(result.entry)
        if entry is None:
            continue
        known = {cell.key for cell in entry.cells(list(entry.suites))}
        cells = [cell for cell in result.cells if cell.key in known]
        if result.missed and not cells:
            never[entry.id] = _stale(result.missed)
        for cell in cells:
            run = result.runs[cell.run]
            setting = Setting(run.target, run.profile, run.machine.machine_class)
            # the newest of the runs that should have measured the cell: only it, or its entry
            missed = max(filter(None, (cell.missed, result.missed)), key=lambda each: each.started, default=None)
            by_setting[setting].append(_row(entry, run, cell, missed))
    sections = [
        _section(catalog, setting, rows, links_of(setting, links, results, gains or {}))
        for setting, rows in by_setting.items()
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


def _section(catalog: Catalog, setting: Setting, rows: list[Row], links: Links) -> Section:
    runs = [row.run for row in rows]
    competitors = [row for row in rows if row.entry.language.manifest.ranked]
    suites = [tables for suite in catalog.suites.values() if (tables := _suite_tables(suite, competitors, links))]
    return Section(
        setting=setting,
        first=min(run.started for run in runs),
        last=max(run.started for run in runs),
        machines=list({run.machine: None for run in runs}),
        suites=suites,
        facts=sorted(_facts(competitors), key=lambda f: f.entry.id),
        latency_remark=_latency_remark(rows),
        rounds=max(map(_rounds, rows)),
        link_remark=_link_remark(competitors, links),
        reference=_reference(row for row in rows if not row.entry.language.manifest.ranked),
    )


def _rounds(row: Row) -> int:
    """How many rounds a cell had. A baseline has those of several groups, so the rounds beside them count."""
    cell = row.cell
    own = cell.solo.count + sum(cell.refused.values())
    return min(own, len(cell.baseline.cpu_us)) if cell.baseline else own


def _link_remark(rows: Iterable[Row], links: Links) -> str | None:
    """Which languages are not compared with others, and why. None where all are."""
    baselines = {row.cell.baseline.entry: row.language for row in rows if row.cell.baseline}
    lacking = sorted(title for entry, title in baselines.items() if entry not in {cell.entry for cell in links.cells})
    if len(baselines) < 2 or not lacking:
        return None
    why = "no run measured their baselines together with those of the others"
    return f"{', '.join(lacking)}: not compared with other languages, because {why}."


def _reference(rows: Iterable[Row]) -> Reference | None:
    """How much the load generator can drive, from the first row of the reference. None if there is no row."""
    row = next(iter(rows), None)
    if row is None:
        return None
    return Reference(row.title, row.throughput, row.limit != Limit.LOAD_GENERATOR, row.failure or row.refused)


def _facts(rows: list[Row]) -> Iterable[FactsRow]:
    """Each entry with the run that most of its cells come from, or with the newest of several such runs.

    The memory and start time of a run with few cells are not typical of the app.
    """
    entries = {row.entry.id: row.entry for row in rows}
    for name, entry in entries.items():
        own = [row.run for row in rows if row.entry.id == name]
        counts = Counter(run.id for run in own)
        yield FactsRow(entry, max(own, key=lambda run: (counts[run.id], run.started)))


def _latency_remark(rows: list[Row]) -> str | None:
    """Why there are no latencies of some rows. None if each run had the load generator for them."""
    without = [row.run.machine.had(OHA.name) for row in rows].count(False)
    some = f" in {without} of {len(rows)} rows" if without < len(rows) else ""
    return f"Latency at a fixed rate was not measured{some}: {OHA.name} was missing; {OHA.remedy}." if without else None


def _suite_tables(suite: Suite, rows: list[Row], links: Links) -> SuiteTables | None:
    """The tables, matrices and feature tables of a suite. None if no entry has a cell in the suite."""
    own = [row for row in rows if row.cell.suite == suite.name]
    if not own:
        return None
    columns = [(scenario, [row for row in own if row.cell.scenario == scenario.name]) for scenario in suite.scenarios]
    measured = [(scenario, here) for scenario, here in columns if not scenario.features]
    ceilings = {row.run.ceiling: None for row in own if row.run.ceiling and row.cell.measured}
    return SuiteTables(
        suite.name,
        suite.title,
        suite.manifest.about,
        [t for scenario, here in measured if not scenario.column for t in _tables(suite, scenario, here, links)],
        build_matrices(measured),
        [build_feature_table(scenario, here) for scenario, here in columns if scenario.features and here],
        list(ceilings) if suite.manifest.backend else [],
    )


def _tables(suite: Suite, scenario: Scenario, rows: list[Row], links: Links) -> Iterable[Table]:
    """Yields the tables of a scenario: one, or one without a schema and one with a schema where a suite has both."""
    if not suite.manifest.without_schema:
        yield _table(scenario, "", "", rows, links)
        return
    plain: list[Row] = []
    with_schema: list[Row] = []
    for row in rows:
        if row.cell.variant:
            (with_schema if row.entry.has_schema(suite.name, row.cell.variant) else plain).append(row)
    kinds = {
        "": ("", [row for row in rows if row.cell.variant is None]),
        "raw": (", plain", plain),
        "schema": (", typed and validated" if scenario.body else ", typed", with_schema),
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


def _row(entry: Entry, run: Run, cell: CellResult, missed: Missed | None) -> Row:
    """The row of a cell: its figures, or the reason why there are none.

    `missed` is a newer run that should have measured the entry and gave no results.
    """
    row = Row(entry, run, cell, stale=_stale(missed) if missed else None)
    if cell.not_run:
        return row
    if cell.failure or not (cell.measured or cell.features):
        last_good = f" (last good: {cell.last_good:%Y-%m-%d})" if cell.last_good else ""
        return replace(row, failure=f"{cell.failure or 'no solo round was finished'}{last_good}")
    row = replace(row, refused=refused(cell), disturbed=cell.disturbed_throughput, remarks=tuple(cell.remarks))
    fewer = entry.fewer_at_a_time(cell.solo.connections)
    if fewer and run.files_hash == entry.files_hash():  # its manifest may have said another number when it was measured
        row = replace(row, remarks=(*row.remarks, fewer))
    figures = figures_of(entry.id, cell)
    if figures is None:
        return row
    scenario = entry.scenario_of(cell.suite, cell.scenario)
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


def _stale(missed: Missed) -> str:
    return f"the run of {missed.started:%Y-%m-%d} gave no results for it: {missed.reason}"


Column = tuple[Scenario, list[Row]]


def build_matrices(columns: Iterable[Column]) -> list[Matrix]:
    """The matrices of a suite. Scenarios with a `column` that follow each other and share a title make one matrix."""
    named = [column for column in columns if column[0].column]
    return [_matrix(title, list(group)) for title, group in groupby(named, lambda column: column[0].title)]


def _matrix(title: str, columns: list[Column]) -> Matrix:
    run = [(scenario, rows) for scenario, rows in columns if any(not row.cell.not_run for row in rows)]
    reasons = [(scenario, [row.cell.not_run or "" for row in rows]) for scenario, rows in columns if rows]
    not_run = {scenario.column or "": each[0] for scenario, each in reasons if all(each)}
    totals = [_totals(rows) for _, rows in run]
    entries = {row.entry.id: row for _, rows in run for row in rows}
    lines = [MatrixLine(row, [column.get(entry) for column in totals]) for entry, row in entries.items()]
    request = f"{columns[0][0].method} {columns[0][0].path}"

    def place(line: MatrixLine) -> tuple[float, str]:
        first = line.totals[0] if line.totals else None
        # lines without a total of the first condition come last
        return (first.seconds.middle if first and first.seconds else float("inf"), line.row.label)

    return Matrix(title, request, [s.column or "" for s, _ in run], sorted(lines, key=place), not_run)


def _totals(rows: list[Row]) -> dict[str, Total]:
    contract = newest_contract(rows)
    timed = [row for row in rows if row.seconds is not None and row.cell.contract == contract]
    found = best_and_worst([row.cell.solo.seconds or [] for row in timed])
    marks = {row.entry.id: mark for row, mark in zip(timed, found, strict=True)}
    return {
        row.entry.id: Total(row.seconds, row.limit, marks.get(row.entry.id), row.failure, row.cell.not_run)
        for row in rows
    }


def best_and_worst(seconds: Sequence[Sequence[float]]) -> list[str | None]:
    """Marks the best and the worst totals of one condition, in the order given.

    "best" means that no other is certainly more than 10 % faster, "worst" that no other is certainly more than 10 %
    slower. The mark is None where neither or both are true. `seconds` has the rounds of each entry.
    """
    samples = [log_sample(each) for each in seconds]
    usual = usual_variance(samples)
    estimates = [
        Estimate(-sample.mean, moderated(sample, usual), {("process", number): Part(PROCESS**2)})
        for number, sample in enumerate(samples)
    ]
    certain = certainly_faster(estimates)
    beating, beaten = ({pair[side] for pair in certain} for side in (0, 1))
    return [
        None if (i in beaten) == (i in beating) else "worst" if i in beaten else "best" for i in range(len(seconds))
    ]


def build_feature_table(scenario: Scenario, rows: Iterable[Row]) -> FeatureTable:
    """The table of a scenario with feature checks, best score first, and what needs no library before what does."""
    lines = sorted(
        (_line(scenario, row) for row in rows),
        key=lambda line: (-line.score, line.library is not None, line.row.title.casefold()),
    )
    return FeatureTable(scenario.name, scenario.title, f"{scenario.method} {scenario.path}", scenario.features, lines)


def _line(scenario: Scenario, row: Row) -> FeatureLine:
    by_hand, found = row.entry.documented(row.cell.suite).by_hand, row.cell.features
    library = row.entry.manifest.by_library.get(scenario.name)
    usual = Support.LIBRARY if library else Support.FRAMEWORK
    provided = {name: Support.BY_HAND if name in by_hand else usual for name in found if found[name]}
    support = [provided.get(name, Support.MISSING) for name in (scenario.features if found else [])]
    score = sum(each in (Support.FRAMEWORK, Support.LIBRARY) for each in support)
    return FeatureLine(row, support, score, library if Support.LIBRARY in support else None)
