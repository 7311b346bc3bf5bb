"""Writes a made board: entries, results, history and change records, in the layout of a repository."""

import hashlib
from collections.abc import Iterator
from datetime import datetime, timedelta
from math import exp
from pathlib import Path
from random import Random

from restbench.changes.records import CellCost, ChangeRecord, cell_name, identifier
from restbench.changes.store import CHANGES, append_records
from restbench.compare.models import Cause, CauseKind, Verdict
from restbench.demo.entries import LANGUAGES, entry_names, name_of, write_entries
from restbench.demo.world import CELLS, HARNESS_WEEK, MACHINE_WEEK, Bump, World, is_broken
from restbench.results.files import MADE, write_entry
from restbench.results.history_lines import CellFigures, EntryLine, RunLine, dump_line
from restbench.results.merge import HISTORY, LATEST
from restbench.results.models import (
    CellResult,
    DuetRounds,
    EntryResult,
    Failure,
    Limit,
    Machine,
    Run,
    SoloRounds,
)
from restbench.results.rounds import round_to
from restbench.system.repository import Repository

SOLO, DUETS = 7, 16
SEEN = 0.02
"""A change of cost of at least this size is claimed."""

MACHINE_CLASS = "github-hosted-x86_64-4cpu"


def write_demo(real: Repository, root: Path, entries: int, weeks: int, seed: int) -> None:
    """Writes a made repository to `root`. The same numbers always give the same files."""
    write_entries(real, root, entries)
    world = World(entries, weeks, Random(seed))
    results = root / "results"
    (results / HISTORY).mkdir(parents=True)
    (results / MADE).write_text("Everything in this folder is made up.\n")
    for month, lines in _history(world).items():
        (results / HISTORY / f"{month}.jsonl").write_text("".join(lines))
    last = world.weeks_with_runs()[-1]
    for number, entry in enumerate(entry_names(entries)):
        write_entry(results / LATEST, _result(world, number, entry, last))
    append_records(results / CHANGES, _records(world))


def _history(world: World) -> dict[str, list[str]]:
    """The lines of each month."""
    months: dict[str, list[str]] = {}
    names = entry_names(world.entries)
    for week in world.weeks_with_runs():
        rng = Random(week)
        lines = months.setdefault(f"{world.day(week):%Y-%m}", [])
        for number, entry in enumerate(names):
            at = world.day(week) + timedelta(minutes=number)
            lines += [
                f"{dump_line(line)}\n"
                for line in (_run_line(at, week), _entry_line(world, number, entry, week, at, rng))
            ]
    return months


def _run_line(at: datetime, week: int) -> RunLine:
    machine = _machine(week)
    return RunLine(
        run=_run_id(at),
        at=at,
        target="docker",
        profile="full",
        machine=machine.machine_class,
        cpu=machine.cpu_model,
        cpus=machine.cpus,
        memory=machine.memory_bytes,
        kernel=machine.kernel,
        load_generators=machine.load_generators,
        restbench=machine.restbench,
        harness=machine.harness_hash,
        commit=machine.commit,
    )


def _entry_line(world: World, number: int, entry: str, week: int, at: datetime, rng: Random) -> EntryLine:
    cells: dict[str, CellFigures | str | None] = {}
    partner = _partner(number)
    slow = rng.lognormvariate(0, 0.08)  # how slow the runner of this job is
    for key, share in CELLS.items():
        if is_broken(number, week):
            cells[cell_name(key)] = "answers"
            continue
        cost = world.cost(number, week) * share
        cpu = cost * slow * rng.lognormvariate(0, 0.02)
        ratio = world.cost(number, week) / world.cost(partner, week) * rng.lognormvariate(0, 0.008)
        figures = CellFigures(
            SOLO,
            throughput=round_to(2e6 / cpu),
            throughput_low=round_to(2e6 / cpu * 0.93),
            throughput_high=round_to(2e6 / cpu * 1.06),
            cpu_us=round_to(cpu),
            cpu_us_low=round_to(cpu * 0.95),
            cpu_us_high=round_to(cpu * 1.08),
        )
        if partner != number:
            figures = figures._replace(
                duets=DUETS,
                relative_cost=round_to(ratio),
                relative_cost_low=round_to(ratio * 0.988),
                relative_cost_high=round_to(ratio * 1.012),
            )
        cells[cell_name(key)] = figures
    return EntryLine(
        entry=entry,
        run=_run_id(at),
        version=world.version(number, week),
        runtime="Made 3.13.5" if week < MACHINE_WEEK else "Made 3.14.0",
        files=_hash(entry, world.version(number, week)),
        size=120_000_000 + number * 1_000_000,
        baseline=entry_names(world.entries)[partner],
        cells=cells,
    )


def _result(world: World, number: int, entry: str, week: int) -> EntryResult:
    rng = Random(number)
    at = world.day(week) + timedelta(minutes=number)
    run = Run(
        id=_run_id(at),
        started=at,
        target="docker",
        profile="full",
        machine=_machine(week),
        version=world.version(number, week),
        runtime="Made 3.14.0",
        files_hash=_hash(entry, world.version(number, week)),
        size_bytes=120_000_000 + number * 1_000_000,
        start_seconds=round_to(rng.uniform(0.3, 2)),
        memory_start_bytes=int(round_to(rng.uniform(4e7, 9e7))),
        memory_peak_bytes=int(round_to(rng.uniform(9e7, 2e8))),
        memory_after_bytes=int(round_to(rng.uniform(8e7, 1.5e8))),
    )
    cells = [
        CellResult(
            run=run.id,
            suite=suite,
            scenario=scenario,
            variant=variant,
            **_rounds(world, number, week, variant, share, rng),
        )
        for (suite, scenario, variant), share in CELLS.items()
    ]
    return EntryResult(entry=entry, runs={run.id: run}, cells=cells)


def _rounds(world: World, number: int, week: int, variant: str | None, share: float, rng: Random) -> dict[str, object]:
    if is_broken(number, week):
        return {"failure": Failure(check="answers", request="GET /hello_world", expected="200", got="500")}
    partner = _partner(number)
    cost, other = (world.cost(entry, week) * share for entry in (number, partner))
    solo = [cost * rng.lognormvariate(0, 0.05) for _ in range(SOLO)]
    fields: dict[str, object] = {
        "solo": SoloRounds(
            seconds=[1.0] * SOLO,
            throughput=[round_to(2e6 / each) for each in solo],
            cpu_us=[round_to(each) for each in solo],
            memory_bytes=[int(round_to(rng.uniform(9e7, 1.5e8))) for _ in solo],
            limit=[Limit.APP] * SOLO,
        )
    }
    if partner != number:
        slow = [rng.lognormvariate(0, 0.1) for _ in range(DUETS)]
        fields["duets"] = DuetRounds(
            baseline=f"{LANGUAGES[partner].lower()}/{name_of(partner)}",
            baseline_variant=variant,
            cpu_us=[round_to(cost * each * rng.lognormvariate(0, 0.015)) for each in slow],
            baseline_cpu_us=[round_to(other * each) for each in slow],
        )
    return fields


def _records(world: World) -> Iterator[ChangeRecord]:
    names = entry_names(world.entries)
    for bump in sorted(world.bumps, key=lambda each: (each.week, each.entry)):
        yield _record(world, bump, names[bump.entry])


def _record(world: World, bump: Bump, entry: str) -> ChangeRecord:
    rng = Random(f"{entry} {bump.week}")
    at = world.day(bump.week) - timedelta(days=2)
    before, after = (_commit(entry, str(bump.week), side) for side in ("before", "after"))
    cause = Cause(kind=CauseKind.FRAMEWORK, name=f"made-{bump.entry + 1:02d}", before=bump.before, after=bump.after)
    return ChangeRecord(
        id=identifier(entry, "docker", before, after),
        at=at,
        entry=entry,
        target="docker",
        profile="pr",
        machine=MACHINE_CLASS,
        before=before,
        after=after,
        version_before=bump.before,
        version=bump.after,
        causes=[cause],
        together=_cost(bump.effect, rng, 0.004),
        cells={cell_name(key): _cost(bump.effect, rng, 0.012) for key in CELLS},
    )


def _cost(effect: float, rng: Random, error: float) -> CellCost:
    ratio = exp(effect + rng.gauss(0, error / 2))
    claimed = abs(effect) >= SEEN
    verdict = Verdict.SAME if not claimed else Verdict.SLOWER if effect > 0 else Verdict.FASTER
    return CellCost(verdict, round_to(ratio), round_to(ratio * (1 - error)), round_to(ratio * (1 + error)), 4, 24)


def _partner(number: int) -> int:
    """The number of the baseline of an entry's language."""
    return number % len(LANGUAGES)


def _machine(week: int) -> Machine:
    old = week < MACHINE_WEEK
    return Machine(
        machine_class=MACHINE_CLASS,
        cpu_model="Made CPU 1" if old else "Made CPU 2",
        cpus=4,
        app_cpus=(2, 3),
        load_cpus=(0, 1),
        pinned=True,
        memory_bytes=16 * 2**30,
        kernel="6.11.0" if old else "6.17.0",
        load_generators=("wrk 4.1.0", "oha 1.16.0"),
        restbench="0.1.0",
        harness_hash="aaaaaaaaaaaa" if week < HARNESS_WEEK else "bbbbbbbbbbbb",
        commit=_commit("main", str(week)),
    )


def _run_id(at: datetime) -> str:
    return f"{at:%Y%m%dT%H%M%SZ}-{_hash(at.isoformat())[:8]}"


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]


def _commit(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:40]
