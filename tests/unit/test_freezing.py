"""While one app is loaded, the others of its team are frozen, and at no other time."""

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from restbench.catalog import Catalog
from restbench.changes.compare import compare_versions
from restbench.containers.cgroups import can_freeze, freezer_of
from restbench.errors import Interrupted
from restbench.measure import freezing, run_board
from restbench.measure.events import Remarked, Visited
from restbench.measure.freezing import frozen
from restbench.results.journal import Journal
from restbench.results.rounds import LatencyRound, SoloRound
from restbench.targets import Settings
from restbench.targets import docker as docker_target
from restbench.targets.docker import DockerRuntime
from tests.end_to_end.made import wait_until
from tests.made.small import small_repository
from tests.unit.fakes import FakeTarget, World
from tests.unit.plans import plan_of, run
from tests.unit.test_comparison import base_in, plan_in

TEAM = {"python/falcon", "python/starlette", "reference/nginx"}


def test_while_an_app_is_loaded_all_others_are_frozen(catalog: Catalog, journal: Journal) -> None:
    world = World()
    run(plan_of(catalog, world), journal)
    warm_ups, rounds = world.seen_frozen[: len(TEAM)], world.seen_frozen[len(TEAM) :]
    assert not any(others for _, others in warm_ups), "compilers of other apps work meanwhile"
    assert {load.split()[0] for load, _ in rounds} == {"wrk", "oha", "read"}
    assert all(others == TEAM - {load.split()[1]} for load, others in rounds)
    assert not world.frozen


def test_so_they_are_in_a_batch(catalog: Catalog, journal: Journal) -> None:
    world = World()
    run(plan_of(catalog, world, suites=["workload"], reference=None), journal)
    batches = [line.split()[0] for line in world.lines("wrk ") if " requests" in line]
    assert len(batches) > 2
    assert any(load == "wrk python/falcon" and others == {"python/starlette"} for load, others in world.seen_frozen)


def test_between_two_rounds_nobody_is_frozen(catalog: Catalog, journal: Journal) -> None:
    world = World()
    seen: list[set[str]] = []
    plan = plan_of(catalog, world)

    def look(event: object) -> None:
        if isinstance(event, Visited) and isinstance(event.result, SoloRound | LatencyRound):
            seen.append(set(world.frozen))

    run_board(plan, journal, look)
    assert seen
    assert not any(seen)


def test_a_probe_of_the_capacity_is_alone_too(catalog: Catalog, journal: Journal) -> None:
    world = World(answers={"python/falcon": 100})
    run(plan_of(catalog, world), journal)
    loads = [others for load, others in world.seen_frozen[len(TEAM) :] if load == "wrk python/falcon"]
    assert len(loads) > 8
    assert all(others == TEAM - {"python/falcon"} for others in loads)


def test_neither_side_of_a_duet_is_frozen(catalog: Catalog) -> None:
    world = World()
    compare_versions(base_in(catalog), catalog.entries["python/falcon"], plan_in(catalog, world), lambda _event: None)
    loads = [others for load, others in world.seen_frozen if load.startswith("wrk ")]
    assert loads.count(frozenset()) > len(loads) / 2
    assert all(others for load, others in world.seen_frozen if load.startswith("read "))


def test_an_app_that_cannot_be_frozen_is_named_once_and_measured(catalog: Catalog, journal: Journal) -> None:
    world = World(cannot_freeze={"python/falcon"})
    outcome, events = run(plan_of(catalog, world), journal)
    assert [event.text for event in events if isinstance(event, Remarked)] == [
        "python/falcon: the app cannot be frozen: the engine is busy"
    ]
    assert not outcome.failures
    assert not world.frozen


def test_a_machine_without_freezers_is_named_once(catalog: Catalog, journal: Journal) -> None:
    _, events = run(plan_of(catalog, World(freezing_unavailable_reason="no freezer"), suites=["workload"]), journal)
    assert [event for event in events if isinstance(event, Remarked)] == [Remarked("native", "no freezer")]


@pytest.mark.parametrize("load", range(4, 12))
def test_ctrl_c_leaves_nobody_frozen(catalog: Catalog, journal: Journal, load: int) -> None:
    world = World()

    def interrupt(_path: str) -> None:
        if len(world.seen_frozen) == load:
            raise Interrupted

    world.on_load = interrupt
    outcome, _ = run(plan_of(catalog, world), journal)
    assert outcome.interrupted
    assert world.seen_frozen[-1][1]
    assert not world.frozen


class Slow(FakeTarget):
    """An app that takes a moment to be frozen. `changes`: when it was frozen (True) and thawed.

    `interrupts`: whether Ctrl-C comes meanwhile.
    """

    def __init__(self, catalog: Catalog, *, interrupts: bool = False) -> None:
        self.changes: list[bool] = []
        self._interrupts = interrupts
        super().__init__(World(), catalog.entries["python/falcon"], Settings((0,)))

    def freeze(self) -> None:
        time.sleep(0.05)
        if self._interrupts:
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
            time.sleep(0.05)
        self.changes.append(True)

    def thaw(self) -> None:
        self.changes.append(False)


def test_ctrl_c_while_an_app_is_being_frozen_waits_for_that_and_thaws_it(catalog: Catalog) -> None:
    app = Slow(catalog, interrupts=True)
    with pytest.raises(KeyboardInterrupt), frozen({"python/falcon": app}):
        pass
    assert app.changes == [True, False]


def test_in_a_long_round_an_app_may_run_for_a_moment_now_and_then(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(freezing, "LONGEST_SECONDS", 0.01)
    monkeypatch.setattr(freezing, "BREATH_SECONDS", 0.01)
    app = Slow(catalog)
    with frozen({"python/falcon": app}):
        wait_until(lambda: len(app.changes) >= 5)
    turns = len(app.changes)
    assert app.changes[-1] is False, "it runs when the round is over"
    assert app.changes[:4] == [True, False, True, False]
    time.sleep(0.1)
    assert len(app.changes) == turns, "and is left alone from then on"
    assert "breathing" not in {thread.name for thread in threading.enumerate()}


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_a_cgroup_of_version_2_is_frozen_by_one_file_and_says_so_in_another(tmp_path: Path) -> None:
    write(tmp_path / "app/cgroup.freeze", "0\n")
    write(tmp_path / "app/cgroup.events", "populated 1\nfrozen 1\n")
    freezer = freezer_of(tmp_path / "app")
    assert freezer
    freezer.freeze()
    assert (tmp_path / "app/cgroup.freeze").read_text() == "1"
    freezer.thaw()
    assert (tmp_path / "app/cgroup.freeze").read_text() == "0"
    assert can_freeze(tmp_path)


def test_a_cgroup_of_version_1_is_frozen_by_one_file(tmp_path: Path) -> None:
    write(tmp_path / "freezer/docker/app/freezer.state", "THAWED\n")
    freezer = freezer_of(tmp_path / "freezer/docker/app")
    assert freezer
    freezer.freeze()
    assert freezer.state.read_text() == "FROZEN"
    freezer.thaw()
    assert freezer.state.read_text() == "THAWED"
    assert can_freeze(tmp_path)


def test_an_old_kernel_has_no_freezer(tmp_path: Path) -> None:
    write(tmp_path / "user.slice/cgroup.events", "populated 1\n")
    assert freezer_of(tmp_path / "user.slice") is None
    assert not can_freeze(tmp_path)


def test_in_docker_an_old_kernel_is_named_and_the_engine_is_not_asked(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime = DockerRuntime(small_repository())
    assert runtime.freezing_unavailable_reason() is None or not can_freeze()
    monkeypatch.setattr(docker_target, "can_freeze", lambda: False)
    monkeypatch.setattr(docker_target, "docker", lambda *_: pytest.fail("the engine was asked"))
    assert runtime.freezing_unavailable_reason() == (
        "other apps are not frozen while one is loaded, as this kernel has no freezer of cgroups: "
        "run on Linux 5.2 or newer, or use --target native"
    )
    target = runtime.target(catalog.entries["python/falcon"], Settings((0,)))
    target.freeze()
    target.thaw()


def test_a_user_who_may_not_write_the_file_asks_the_engine(
    catalog: Catalog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, ...]] = []
    monkeypatch.setattr(docker_target, "can_freeze", lambda: True)
    monkeypatch.setattr(docker_target, "docker", lambda *words, **_: asked.append(words))
    monkeypatch.setattr(docker_target, "as_root", lambda: ("false",))
    monkeypatch.setattr(os, "access", lambda *_: False)
    write(tmp_path / "freezer.state", "THAWED\n")
    assert docker_target._usable(freezer_of(tmp_path)) is None
    target = DockerRuntime(small_repository()).target(catalog.entries["python/falcon"], Settings((0,)))
    target.thaw()
    target.freeze()
    target.thaw()
    target.thaw()
    assert [words[0] for words in asked] == ["pause", "unpause"]
