"""`restbench noise`: one unchanged entry, measured over and over as older boards do and as this one does.

Both ways get the same load time and alternate, first on the machine as it is, then beside a neighbour. What varies is
noise, as nothing else does.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from restbench import processes
from restbench.commands.bench import make_plan
from restbench.commands.setup import Selection, select
from restbench.errors import RestbenchError
from restbench.measure import run_plan
from restbench.profiles import Profile, find_profile
from restbench.results.journal import Journal
from restbench.results.models import Limit
from restbench.stats import coefficient_of_variation
from restbench.stats.figures import Figures, figures_of

SUITE = "hello"
_KEPT_FOR_REPEATS = 2
_FEWEST = 3
"""Figures that a spread is worth computing from."""


@dataclass(frozen=True)
class Way:
    """A way of measuring."""

    title: str
    profile: Profile


@dataclass(frozen=True)
class Spread:
    """Coefficients of variation of the figures that a way publishes, over its repetitions.

    A repetition without a valid round publishes none: it says that there was only noise, and is not in `published`.
    """

    throughput: float
    cpu_us: float
    published: int
    rounds_counted: int
    rounds: int


def ways() -> tuple[Way, Way]:
    """As older boards do, and as this one does, with the same load time."""
    classic = find_profile("classic")
    # some of the same load time is kept for repeating rounds that do not count
    rounds = classic.load_seconds - _KEPT_FOR_REPEATS
    ours = find_profile("quick").model_copy(
        update={
            "name": "rounds",
            "rounds": rounds,
            "repeat_share": _KEPT_FOR_REPEATS / rounds,
            "warm_up_seconds": 0,
            "fixed_rate_seconds": 0,
        }
    )
    return Way("classic: one 15 s run", classic), Way("restbench: median of valid rounds", ours)


def noise(framework: str, times: int) -> None:
    """Prints the table."""
    selection = select([framework], [SUITE], "native", None)
    table = Table(box=box.MARKDOWN, title=f"{framework}, {SUITE}, {times} repetitions: coefficient of variation")
    for heading in ("machine", "way", "req/s", "CPU per request", "figures published", "rounds counted"):
        table.add_column(heading, no_wrap=True)
    for machine, beside in (("as it is", False), ("beside a neighbour", True)):
        with neighbour() if beside else nullcontext():
            rounds = selection.repository.state / "noise" / ("neighbour" if beside else "alone")
            spreads = measure_spreads(selection, times, rounds)
        for way, spread in spreads.items():
            published, counted = f"{spread.published} of {times}", f"{spread.rounds_counted} of {spread.rounds}"
            table.add_row(machine, way, f"{spread.throughput:.1%}", f"{spread.cpu_us:.1%}", published, counted)
    Console(width=140).print(table)


def measure_spreads(selection: Selection, times: int, folder: Path) -> dict[str, Spread]:
    """Each way `times` times, alternating; the rounds are kept in the folder.

    Raises RestbenchError where hardly any had a valid round.
    """
    seen: dict[str, list[Figures]] = {}
    rounds: dict[str, int] = {}
    for repetition in range(times):
        for way in ways():
            journal = folder / f"{way.profile.name}-{repetition + 1}.jsonl"
            figures, count = _measure(selection, way.profile, journal)
            seen.setdefault(way.title, []).append(figures)
            rounds[way.title] = rounds.get(way.title, 0) + count
            said = f"{figures.throughput.median:,.0f} req/s, {figures.cpu_us.median:.1f} µs CPU/request"
            if way.profile.pin and figures.limit == Limit.NOISE:
                said += ", not published: no valid round"
            print(f"{repetition + 1}/{times} {way.title}: {said}", file=sys.stderr)
    return {way.title: _spread(way, seen[way.title], rounds[way.title]) for way in ways()}


def _spread(way: Way, figures: list[Figures], rounds: int) -> Spread:
    # older boards publish whatever came
    published = [f for f in figures if not way.profile.pin or f.limit != Limit.NOISE]
    if len(published) < _FEWEST:
        raise RestbenchError(f"{way.title}: only {len(published)} of {len(figures)} repetitions had a valid round")
    return Spread(
        throughput=coefficient_of_variation([f.throughput.median for f in published]),
        cpu_us=coefficient_of_variation([f.cpu_us.median for f in published]),
        published=len(published),
        rounds_counted=sum(len(f.counted) for f in published),
        rounds=rounds,
    )


def _measure(selection: Selection, profile: Profile, rounds: Path) -> tuple[Figures, int]:
    """One run of the entry's first cell: its figures, and how many rounds were made."""
    # the reference would take load time that the other way does not have
    plan = replace(make_plan(selection, profile, seed=None), reference=None)
    with Journal(rounds) as journal:
        outcome = run_plan(plan, journal, lambda _event: None)
    cell = outcome.results[0].cells[0]
    if outcome.interrupted or cell.failure or not cell.rounds:
        raise RestbenchError(f"{selection.entries[0].id} could not be measured: {cell.failure or 'interrupted'}")
    return figures_of(cell), len(cell.rounds)


@contextmanager
def neighbour(seed: int = 1) -> Iterator[None]:
    """The neighbour, for as long as the context lasts."""
    with Path("/dev/null").open("wb") as nowhere:
        argv = [sys.executable, "-m", "restbench.neighbour", str(seed)]
        process = processes.start_group(argv, env=processes.environment({}), cwd=Path.cwd(), log=nowhere, cpus=None)
    try:
        yield
    finally:
        processes.stop_group(process)
