"""Writes a made repository: entries of languages that do not exist, with results, history and change records."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from math import exp
from pathlib import Path
from random import Random

from restbench.catalog import load_catalog
from restbench.catalog.entry import has_duets
from restbench.changes.comparison import Cause, CauseKind, Verdict
from restbench.changes.records import CHANGES, CellCost, ChangeRecord, append_records, identifier
from restbench.results.files import write_entry
from restbench.results.history import dump_line, history_lines
from restbench.results.merge import HISTORY, LATEST, LINKS
from restbench.results.models import Ceiling, EntryResult, Failure, Machine, Run, SoloRounds
from restbench.results.rounds import round_to
from restbench.system.repository import Repository
from tests.made.changes import a_record
from tests.made.records import RUNNER, a_run
from tests.made.repository import MadeEntry, MadeLanguage, write_repository
from tests.made.results import made_result
from tests.made.small import LANGUAGES, SOLR
from tests.made.world import HARNESS_WEEK, MACHINE_WEEK, Bump, World

TITLES = ("Aster", "Birch", "Cedar")
"""Languages that are Python's under other names, because the commands of a language do not matter here."""

VARIANTS = (("raw", "msgspec"), ("raw", "msgspec", "pydantic"), ("raw",))
"""The variants of the first entry of each language, of the second and of the third, and so on again."""

SELECTIONS = """
[readme]
summary = ["hello/hello_world", "issue-tracker/sprint-schema", "workload/simple-raw"]
"""

REFERENCE, REFERENCE_COST = "reference/nginx", 20.0
FAILED: dict[str, object] = {
    "solo": SoloRounds(),
    "baseline": None,
    "latency": [],
    "refused": {},
    "failure": Failure(check="answers", request="GET /hello_world", expected="200", got="500"),
}
"""What a cell has if it failed."""

SEEN = 0.02
"""A change of cost of at least this size is claimed."""


def entry_names(count: int) -> list[str]:
    """The ids of so many entries, spread over the languages."""
    return [f"{TITLES[number % len(TITLES)].lower()}/{name_of(number)}" for number in range(count)]


def name_of(number: int) -> str:
    return f"made-{number + 1:02d}"


def write_history(root: Path, entries: int, weeks: int) -> Repository:
    """Writes a made repository to `root`. The same numbers always give the same files."""
    world = World(entries, weeks)
    board = MadeBoard(root, world)
    folder = root / "results"
    (folder / HISTORY).mkdir(parents=True)
    for week in world.weeks_with_runs():
        results = [result for number in range(entries) for result in board.results(number, week)]
        lines = (dump_line(line) for result in results for found in history_lines(result) for line in found)
        with (folder / HISTORY / f"{world.day(week):%Y-%m}.jsonl").open("a") as month:
            month.writelines(f"{line}\n" for line in dict.fromkeys(lines))  # the results of a job have one run
    for result in results:
        write_entry(folder / LATEST, result)
    for result in board.links(week):
        write_entry(folder / LINKS, result)
    append_records(folder / CHANGES, board.records())
    return board.repository


class MadeBoard:
    """Made entries, which it writes below `root`, and what their jobs find. An entry's number is its place in names.

    Entries have 16 to 30 cells that are measured, 23 in the mean, as the real ones have. A job measures an entry and
    the reference. It starts some minutes after the others of its week, or at another time.
    """

    def __init__(self, root: Path, world: World) -> None:
        self.world = world
        self.names = entry_names(world.entries)
        languages = {title.lower(): _language(number) for number, title in enumerate(TITLES)}
        entries = {name: _entry(number) for number, name in enumerate(self.names)}
        self.repository = write_repository(root, languages, entries, SELECTIONS)
        self.catalog = load_catalog(self.repository).check()

    def results(self, number: int, week: int, at: datetime | None = None) -> list[EntryResult]:
        """What a job brings: the results of the entry and of the reference, which has no version and no runtime."""
        run, name = self._run(number, week, at), self.names[number]
        costs, rng = self._costs(number, week), Random(run.id)
        bare = run.model_copy(update={"version": None, "runtime": None, "runtime_build": None, "size_bytes": 0})
        baseline = number % len(TITLES)
        files_hash = _hash(12, self.names[baseline], self.world.version(baseline, week))
        result, reference = (
            made_result(self.catalog, self.catalog.entries[each], its_run, costs, rng, files_hash)
            for each, its_run in ((name, run), (REFERENCE, bare))
        )
        if self.world.is_broken(number, week):
            result = result.model_copy(update={"cells": [cell.model_copy(update=FAILED) for cell in result.cells]})
        return [result, reference]

    def links(self, week: int) -> list[EntryResult]:
        """What the job that measures the baselines of all languages together brings."""
        run = self._run(0, week).model_copy(update={"id": f"links-{week}", "profile": LINKS})
        found = [self.results(number, week)[0] for number in range(min(len(TITLES), self.world.entries))]
        return [
            result.model_copy(
                update={"runs": {run.id: run}, "cells": [c.model_copy(update={"run": run.id}) for c in result.cells]}
            )
            for result in found
        ]

    def records(self) -> Iterator[ChangeRecord]:
        """The record of each new version."""
        for bump in sorted(self.world.bumps, key=lambda each: (each.week, each.entry)):
            yield self.record(bump)

    def record(self, bump: Bump) -> ChangeRecord:
        """The record of a new version. It is measured two days before the run of its week."""
        entry = self.names[bump.entry]
        made = self.catalog.entries[entry]
        rng = Random(f"{entry} {bump.week}")
        before, after = (_hash(40, entry, str(bump.week), side) for side in ("before", "after"))
        cause = Cause(kind=CauseKind.FRAMEWORK, name=name_of(bump.entry), before=bump.before, after=bump.after)
        return a_record(
            entry,
            id=identifier(entry, "docker", before, after),
            at=self.world.day(bump.week) - timedelta(days=2),
            before=before,
            after=after,
            version_before=bump.before,
            version=bump.after,
            causes=[cause],
            together=_cost(bump.effect, rng, 0.004),
            cells={
                str(cell).removeprefix(f"{entry}/"): _cost(bump.effect, rng, 0.012)
                for cell in made.cells(list(self.catalog.suites))
                if has_duets(made.scenario(cell))
            },
        )

    def _costs(self, number: int, week: int) -> dict[str, float]:
        """The costs of an entry, of the baseline of its language and of the reference."""
        costs = {self.names[each]: self.world.cost(each, week) for each in (number, number % len(TITLES))}
        return {**costs, REFERENCE: REFERENCE_COST}

    def _run(self, number: int, week: int, at: datetime | None = None) -> Run:
        at = at or self.world.day(week) + timedelta(minutes=number)
        name, version = self.names[number], self.world.version(number, week)
        rng = Random(f"{name} {at}")
        return a_run(
            f"{at:%Y%m%dT%H%M%SZ}-{_hash(8, name, str(at))}",
            at,
            target="docker",
            profile="full",
            machine=_machine(week),
            version=version,
            runtime="Made 3.13.5" if week < MACHINE_WEEK else "Made 3.14.0",
            runtime_build="PGO, LTO",
            files_hash=_hash(12, name, version),
            build_seconds=round(rng.uniform(30, 60), 1),
            size_bytes=120_000_000 + number * 1_000_000 + rng.randrange(1_000_000),
            start_seconds=round_to(rng.uniform(0.3, 2)),
            head_bytes=120 + number,
            dated=True,
            licence="Apache-2.0",
            packages=30,
            code_lines=348,
            idle_cpu_share=round_to(rng.uniform(0, 1e-4)),
            memory_start_bytes=_bytes(rng, 4e7, 6e7),
            memory_peak_bytes=_bytes(rng, 9e7, 2e8),
            memory_after_bytes=_bytes(rng, 8e7, 9e7),
            ceiling=Ceiling(
                backend="solr",
                versions="Solr 9.10.1, Varnish 7.7.0",
                cached=round_to(rng.uniform(14e3, 16e3)),
                uncached=round_to(rng.uniform(85, 90)),
                start_seconds=round_to(rng.uniform(5, 7)),
                memory_bytes=_bytes(rng, 24e7, 34e7),
            ),
        )


def _language(number: int) -> MadeLanguage:
    python = LANGUAGES["python"]
    manifest = python.manifest.replace('"Python"', f'"{TITLES[number]}"').replace('"falcon"', f'"{name_of(number)}"')
    return replace(python, manifest=manifest)


def _entry(number: int) -> MadeEntry:
    variants = json.dumps(VARIANTS[number // len(TITLES) % len(VARIANTS)])
    solr = SOLR.replace("{typed}", '["msgspec"]') if number % 5 < 3 else ""
    status = "unmaintained" if number % 13 == 12 else "maintained"
    return MadeEntry(
        title=f"Made {number + 1}",
        suites=f"hello = true\nissue-tracker = {variants}\nworkload = {variants}\n{solr}",
        interface="wsgi" if number % 4 == 3 else "asgi",
        more=f'status = "{status}"\nnotes = ["This framework is made up."]',
    )


def _cost(effect: float, rng: Random, error: float) -> CellCost:
    ratio = exp(effect + rng.gauss(0, error / 2))
    reach = error * rng.uniform(0.5, 1.5)
    claimed = abs(effect) >= SEEN
    verdict = Verdict.SAME if not claimed else Verdict.SLOWER if effect > 0 else Verdict.FASTER
    middle, low, high = (round_to(ratio * (1 + way * reach), 5) for way in (0, -1, 1))
    return CellCost(verdict, middle, low, high, 4, rng.randrange(20, 30))


def _machine(week: int) -> Machine:
    old = week < MACHINE_WEEK
    changes = {
        "cpu_model": "Made CPU 1" if old else "Made CPU 2",
        "kernel": "6.11.0" if old else "6.17.0",
        "harness_hash": "aaaaaaaaaaaa" if week < HARNESS_WEEK else "bbbbbbbbbbbb",
        "commit": _hash(40, "main", str(week)),
    }
    return RUNNER.model_copy(update=changes)


def _bytes(rng: Random, least: float, most: float) -> int:
    return round(round_to(rng.uniform(least, most)))


def _hash(length: int, *parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:length]
