"""What rounds depend on may not change while they are measured: else nothing counts."""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from restbench.catalog import Catalog, load_catalog
from restbench.changes.compare import compare_versions
from restbench.changes.comparison import Verdict
from restbench.errors import Interrupted
from restbench.measure import Event, Outcome
from restbench.measure.basis import Basis
from restbench.measure.events import Missing
from restbench.results.journal import Journal, read_unfinished
from restbench.system.repository import Repository
from tests.made.programs import a_program
from tests.made.small import small_repository
from tests.unit.fakes import World
from tests.unit.plans import plan_of, run, without_repeats
from tests.unit.test_comparison import base_in, plan_in

FALCON = "frameworks/python/falcon"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository that tests may change, with a script of wrk."""
    shutil.copytree(small_repository().root, tmp_path / "repository")
    script = tmp_path / "repository/scripts/wrk/scenario.lua"
    script.parent.mkdir(parents=True)
    script.write_text("-- a script")
    return tmp_path / "repository"


@pytest.fixture
def own(root: Path) -> Catalog:
    """Its catalogue."""
    return load_catalog(Repository(root))


def rewrite(path: Path) -> None:
    """Writes the same content once more, as an app does that undoes what it did."""
    path.write_bytes(path.read_bytes())


def replaced(path: Path) -> None:
    """Puts another file of the same size and time there."""
    other = path.with_name("other")
    shutil.copy2(path, other)
    other.replace(path)


CHANGES: dict[str, Callable[[Path], object]] = {
    "changed": lambda path: path.write_text("another"),
    "changed back": rewrite,
    "replaced": replaced,
    "removed": Path.unlink,
    "new": lambda path: path.with_name("a new one").write_text("new"),
    "of another time": lambda path: os.utime(path, ns=(1, 1)),
}


@pytest.mark.parametrize("how", CHANGES)
@pytest.mark.parametrize("place", ["scripts/wrk/scenario.lua", "fixtures/hello/suite.toml", f"{FALCON}/framework.toml"])
def test_each_change_of_the_harness_a_suite_or_the_entry_is_seen(
    root: Path, own: Catalog, place: str, how: str
) -> None:
    falcon, starlette = own.entries["python/falcon"], own.entries["python/starlette"]
    basis = Basis([falcon, starlette], root)
    assert basis.changed([falcon, starlette]) is None
    CHANGES[how](root / place)
    assert basis.changed([falcon]) == (str(Path(place).with_name("a new one")) if how == "new" else place)
    assert (basis.changed([starlette]) is None) == place.startswith(FALCON), "an entry is its own affair"


def test_a_load_generator_that_is_replaced_is_seen(
    root: Path, own: Catalog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    a_program(tmp_path / "wrk", "exit 0")
    basis = Basis([own.entries["python/falcon"]], root)
    a_program(tmp_path / "wrk", "exit 1")
    assert basis.changed([]) == str(tmp_path / "wrk")


def test_what_python_compiles_meanwhile_is_no_change(root: Path, own: Catalog) -> None:
    falcon = own.entries["python/falcon"]
    basis = Basis([falcon], root)
    for place in (FALCON, "scripts/restbench/measure", "fixtures/hello"):
        (root / place / "__pycache__").mkdir(parents=True, exist_ok=True)
        (root / place / f"__pycache__/app.{sys.implementation.cache_tag}.pyc").write_bytes(b"x")
    assert basis.changed([falcon]) is None


def written_at(load: int, path: Path) -> World:
    """A world in which an app writes to the file in that load."""
    world = World()

    def write(_path: str) -> None:
        if len(world.seen_frozen) >= load:
            path.write_text("# another\n")

    world.on_load = write
    return world


REASON = (
    "{path} was written to during the run, so nothing counts that was measured meanwhile: "
    "find out what writes to it, restore it, and run again"
)


def figures(outcome: Outcome) -> dict[str, int]:
    """How many rounds of any kind each entry has."""
    return {
        result.entry: sum(cell.solo.count + sum(cell.refused.values()) + len(cell.latency) for cell in result.cells)
        for result in outcome.results
    }


def missing(events: list[Event]) -> list[Missing]:
    return [event for event in events if isinstance(event, Missing)]


def test_nothing_of_the_team_counts_and_one_line_says_why(root: Path, own: Catalog, journal: Journal) -> None:
    path = root / FALCON / "framework.toml"
    outcome, events = run(plan_of(own, written_at(9, path)), journal)
    team = ["python/falcon", "python/starlette", "reference/nginx"]
    assert figures(outcome) == dict.fromkeys(team, 0)
    (event,) = missing(events)
    assert sorted(event.where.split(", ")) == team
    assert event.reason == REASON.format(path=path)
    assert {cell.not_run for result in outcome.results for cell in result.cells} == {event.reason}
    assert sorted(outcome.missed) == ["python/falcon", "python/starlette"]
    assert not outcome.failures
    assert not [run for result in outcome.results for run in result.runs.values() if run.start_seconds is not None]


def test_what_failed_because_of_it_did_not_fail(root: Path, own: Catalog, journal: Journal) -> None:
    world = written_at(9, root / FALCON / "framework.toml")
    world.wrong_under_load, world.build_fails = {"hello_world"}, {"python/starlette"}
    outcome, _ = run(plan_of(own, world), journal)
    assert [(entry, cell.failure.check) for entry, cell in outcome.failures if cell.failure] == [
        ("python/starlette", "build")
    ], "it did not come to the load"


def test_what_was_finished_before_counts_and_what_comes_later_is_not_begun(
    root: Path, own: Catalog, journal: Journal
) -> None:
    """The queue's workers make further teams of it, which need other files too."""
    world = World()
    path = root / FALCON / "framework.toml"

    def write(_path: str) -> None:
        if len(world.lines("start ")) == 5:
            path.write_text(path.read_text() + "\n")

    world.on_load = write
    outcome, events = run(plan_of(own, world, suites=["hello", "workload"]), journal)
    assert len(world.lines("start ")) == 5
    assert len(missing(events)) == 3, "that team, and two that come later"
    hello = {r.entry: c for r in outcome.results for c in r.cells if c.scenario == "hello_world"}
    assert all(cell.solo.count and not cell.not_run for cell in hello.values())


def test_an_interrupted_run_keeps_no_figure_of_it(root: Path, own: Catalog, journal: Journal) -> None:
    world = World()

    def write(_path: str) -> None:
        if len(world.seen_frozen) == 15:
            (root / FALCON / "a module.py").touch()
            raise Interrupted

    world.on_load = write
    outcome, events = run(plan_of(own, world), journal)
    assert outcome.interrupted
    assert not outcome.measured
    assert len(missing(events)) == 1


def test_a_run_that_is_taken_up_does_not_count_it_either(root: Path, own: Catalog, tmp_path: Path) -> None:
    world, journal = World(), tmp_path / "rounds.jsonl"
    path = root / FALCON / "framework.toml"

    def write(_path: str) -> None:
        starts = len(world.lines("start "))
        if starts == 3 and len(world.seen_frozen) == 20:
            rewrite(path)
        if starts > 3:
            raise Interrupted

    world.on_load = write
    plan = without_repeats(plan_of(own, world, patterns="python/falcon python/starlette", suites=["hello", "workload"]))
    with Journal(journal) as writing:
        run(plan, writing)
    assert '{"void":0}' in journal.read_text().splitlines()
    assert not read_unfinished(journal).rounds


def test_nothing_is_said_of_two_versions_then(root: Path, own: Catalog) -> None:
    events: list[Event] = []
    world = written_at(9, root / FALCON / "framework.toml")
    found = compare_versions(base_in(own), own.entries["python/falcon"], plan_in(own, world), events.append)
    (cell,) = found.cells
    assert (cell.verdict, cell.cost) == (Verdict.UNKNOWN, None)
    assert "was written to during the run" in (cell.why or "")
    assert len(missing(events)) == 1
