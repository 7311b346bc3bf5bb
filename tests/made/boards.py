"""Made boards: a few frameworks of the small catalogue in two suites, and tables of any length."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cache
from math import log
from random import Random

from restbench.board import Board, Row, Section, Setting, SuiteTables, Table, build_board
from restbench.board.rows import Certain
from restbench.catalog import Catalog
from restbench.catalog.entry import Entry
from restbench.results.models import CellResult, EntryResult, Failure, Limit, Machine, Run, SoloRounds
from restbench.stats.estimates import Estimate, Part, Spread
from restbench.stats.intervals import Interval, Kind
from tests.made.records import FALCON, RUNNER, a_run
from tests.made.results import made_result
from tests.made.small import small_catalog

WHEN = datetime(2026, 11, 20, 8, 30, tzinfo=UTC)
ROUNDS = 20
REASON = Failure(
    check="answers",
    request="POST /api/v1/board/pydantic/7/task",
    expected="labels ['a|b']",
    got="<nothing> & no *list*",
)
SUITES = ("hello", "issue-tracker")

NGINX = "reference/nginx"
PYTHON = {FALCON: 127.0, "python/fastapi": 213.0, "python/starlette": 157.0}
OTHERS = {"rust/rocket": 24.0, "rust/axum": 25.0, "java/jooby": 31.0}
COSTS = {**PYTHON, **OTHERS, NGINX: 20.0}
"""CPU µs of a request of Hello World."""


@cache
def made_catalog(several: bool = False) -> Catalog:
    """The frameworks and suites of `made_board`. `several`: of three languages in place of one."""
    catalog = small_catalog()
    entries = {name: catalog.entries[name] for name in (*PYTHON, *(OTHERS if several else ()), NGINX)}
    starlette = entries["python/starlette"]
    unmaintained = starlette.manifest.model_copy(update={"status": "unmaintained"})
    entries["python/starlette"] = replace(starlette, manifest=unmaintained)
    return replace(catalog, suites={name: catalog.suites[name] for name in SUITES}, entries=entries)


def made_board(oha: str | None = "1.12.0", several: bool = False) -> Board:
    """A board with a failed cell, one that noise limited, one with refused rounds, and the reference."""
    catalog = made_catalog(several)
    return build_board(catalog, made_results(catalog, oha))


def made_results(catalog: Catalog, oha: str | None = "1.12.0") -> list[EntryResult]:
    """What `made_board` shows."""
    return [_result(catalog, entry, oha) for entry in catalog.entries.values()]


def board_with(board: Board, entry: Entry) -> Board:
    """The board, with another version of one of its entries."""

    def table(found: Table) -> Table:
        def row(each: Row) -> Row:
            return replace(each, entry=entry) if each.entry.id == entry.id else each

        chains = [
            replace(chain, groups=[[row(each) for each in group] for group in chain.groups]) for chain in found.chains
        ]
        return replace(found, rows=[row(each) for each in found.rows], chains=chains)

    (section,) = board.sections
    suites = [replace(suite, tables=[table(each) for each in suite.tables]) for suite in section.suites]
    facts = [replace(each, entry=entry) if each.entry.id == entry.id else each for each in section.facts]
    return Board([replace(section, suites=suites, facts=facts)])


def a_full_result(catalog: Catalog, name: str = FALCON, run: Run | None = None, seed: int = 1) -> EntryResult:
    """What a run at profile `full` brings of an entry."""
    return made_result(catalog, catalog.entries[name], run or a_run(), COSTS | {name: 99.0}, Random(seed))


def machine(oha: str | None = "1.12.0") -> Machine:
    """A machine of the service, with or without oha."""
    return RUNNER.model_copy(update={"load_generators": ("wrk 4.1.0", *([f"oha {oha}"] if oha else []))})


def _result(catalog: Catalog, entry: Entry, oha: str | None) -> EntryResult:
    run = a_run(
        "20261120T083000Z-00000001",
        WHEN,
        machine=machine(oha),
        version="0.139.0",
        runtime="CPython 3.13.5",
        runtime_build="PGO, LTO",
        runtime_settings={"dev mode": "off", "GIL": "on"},
        released=date(2026, 9, 30),
        licence="MIT",
        packages=12,
        code_lines=123,
        build_seconds=8.5,
        idle_cpu_share=0.004,
        memory_start_bytes=71_000_000,
        memory_peak_bytes=93_400_000,
        memory_after_bytes=90_100_000,
    )
    result = made_result(catalog, entry, run, COSTS, Random(entry.id), run.files_hash)
    cells = [_with_events(cell, catalog, entry) for cell in result.cells]
    if oha is None:
        cells = [cell.model_copy(update={"latency": []}) for cell in cells]
    return result.model_copy(update={"cells": cells})


def _with_events(cell: CellResult, catalog: Catalog, entry: Entry) -> CellResult:
    changes: dict[str, object] = {"refused": {}}
    match entry.name, cell.scenario, cell.variant:
        case "fastapi", "create-task", "pydantic":
            changes |= {"solo": SoloRounds(), "baseline": None, "latency": [], "failure": REASON}
        case "starlette", "userinfo", "raw":
            changes["solo"] = _limited(cell.solo, Limit.NOISE)
        case "falcon", "sprint", "raw":
            changes["refused"] = {"others used the app's CPUs": 2}
        case (("jooby" | "axum" | "rocket"), "hello_world", _):
            changes["solo"] = _limited(cell.solo, Limit.LOAD_GENERATOR)
    return cell.model_copy(update=changes)


def _limited(solo: SoloRounds, limit: Limit) -> SoloRounds:
    return solo.model_copy(update={"limit": [limit] * solo.count})


def long_table(rows: int, variants: int = 1) -> Table:
    """A table of that many rows, each in a group of its own, with names as long as they come, best first."""
    found = [long_row(i, variants) for i in range(rows)]
    return Table("create-task", "Create a task", "POST /task", found, certain=certain_of_groups(found))


def certain_of_groups(rows: Sequence[Row]) -> Certain:
    """What is certain about rows that have groups, if every row is certainly faster than all of later groups."""
    return frozenset((one.key, other.key) for one in rows for other in rows if (one.group or 0) < (other.group or 0))


def invented(name: str, title: str, language: str = "Python") -> Entry:
    """An entry that is in no catalogue."""
    entry = made_catalog().entries[FALCON]
    named = entry.language.manifest.model_copy(update={"title": language})
    manifest = entry.manifest.model_copy(update={"title": title, "homepage": "https://example.org"})
    return replace(entry, name=name, language=replace(entry.language, manifest=named), manifest=manifest)


def long_row(number: int, variants: int = 1) -> Row:
    """A row with the bounds of its comparison with the first one."""
    cost = 0.97**-number
    framework = number // variants
    variant = ["raw", "msgspec", "dataclasses"][number % variants] if variants > 1 else None
    rate, share = 16000.0 / cost, 1 / cost
    return Row(
        entry=invented(f"framework-{framework:03}", f"Some framework {framework:03}"),
        run=a_run(started=WHEN, version="1.2.3"),
        cell=CellResult(
            run="", suite="issue-tracker", scenario="create-task", variant=variant if variants > 1 else None
        ),
        estimate=Estimate(-log(cost), Spread(0.0, 10, 10), {number: Part(0.02**2)}),
        group=number + 1,
        throughput=Interval(rate, rate * 0.9, rate * 1.1, ROUNDS, Kind.INTERVAL),
        relative_cost=Interval(cost, cost * 0.985, cost * 1.02, ROUNDS, Kind.INTERVAL),
        share=Interval(share, share * 0.98, share * 1.015, ROUNDS, Kind.INTERVAL if number else Kind.SINGLE),
        limit=Limit.APP,
    )


def board_of(*tables: Table) -> Board:
    """A board of one section with just those tables."""
    facts = made_board().sections[0].facts[:1]
    suite = SuiteTables("issue-tracker", "Issue tracker", "A sprint board.", list(tables), [], [], [])
    setting = Setting("docker", "full", "lab")
    return Board([Section(setting, WHEN, WHEN, [machine()], [suite], facts, None, ROUNDS)])
