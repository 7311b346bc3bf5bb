"""Whatever happens while something is stopped or dies, everything is stopped, and what was measured stays."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from restbench.backends.numbers import Numbers
from restbench.backends.solr import Access, Backend
from restbench.catalog import Catalog, Entry
from restbench.changes.series import Unwritten
from restbench.conformance import after_load
from restbench.containers import engine
from restbench.errors import AppDiedError, Interrupted, LoadError, ToolError
from restbench.measure.backend_session import BackendSession
from restbench.measure.events import Remarked
from restbench.measure.round import LoadedCell, blaming_the_app
from restbench.measure.session import Session
from restbench.results.journal import Journal
from restbench.system.ports import free_port
from restbench.system.processes import environment, group_members, pause_group, start_group, stop_group
from restbench.system.repository import find_repository
from restbench.targets import Settings, Target
from tests.end_to_end.made import wait_until
from tests.made.programs import a_program
from tests.unit.fakes import FakeRuntime, FakeTarget, World, fake_tools
from tests.unit.plans import QUICK, plan_of, run


class Stubborn(FakeTarget):
    """An app that raises when it is stopped."""

    error: BaseException = subprocess.TimeoutExpired("docker stop", 180)

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        raise self.error


def test_an_app_that_cannot_be_stopped_costs_no_result(catalog: Catalog, journal: Journal) -> None:
    world = World()
    plan = plan_of(catalog, world)
    make, runtime = plan.runtime.target, plan.runtime
    assert isinstance(runtime, FakeRuntime)

    def target(entry: Entry, settings: Settings) -> Target:
        made = make(entry, settings)
        if entry.name == "falcon":
            made = runtime.targets[made.base_url] = Stubborn(world, entry, settings)
        return made

    runtime.target = target  # type: ignore[method-assign,assignment]
    outcome, events = run(plan, journal)
    assert {result.entry for result in outcome.results} == {"python/falcon", "python/starlette", "reference/nginx"}
    assert sorted(world.lines("stop ")) == sorted(world.lines("start "))
    assert any(isinstance(event, Remarked) and "could not be stopped in order" in event.text for event in events)


def test_ctrl_c_while_apps_are_stopped_waits_for_all(catalog: Catalog) -> None:
    world = World()
    entries = [catalog.entries[f"python/{name}"] for name in ("falcon", "starlette")]
    slow = threaded_stop(world)
    with pytest.raises(Interrupted), session_in(world) as session:
        for entry in entries:
            session.start(entry.id, slow(entry))
        signal.signal(signal.SIGALRM, interrupt)
        signal.setitimer(signal.ITIMER_REAL, 0.2)
    assert sorted(world.lines("stop ")) == sorted(entry.id for entry in entries)


def session_in(world: World) -> Session:
    """A session without entries."""
    runtime, backend = FakeRuntime(world), BackendSession(None, None, lambda _event: None)
    return Session(fake_tools(world, runtime, QUICK), runtime, [], backend, Unwritten(), lambda _event: None)


def interrupt(_number: int, _frame: object) -> None:
    raise Interrupted


def threaded_stop(world: World) -> Callable[[Any], FakeTarget]:
    class Slow(FakeTarget):
        def __exit__(self, *error: object) -> None:
            time.sleep(0.8)
            super().__exit__(*error)

    return lambda entry: Slow(world, entry, Settings((0,)))


def test_an_app_that_ctrl_c_stops_while_it_starts_is_stopped(catalog: Catalog) -> None:
    world, entry = World(), catalog.entries["python/falcon"]

    class Interrupting(FakeTarget):
        def __enter__(self) -> "Interrupting":
            super().__enter__()
            raise Interrupted

    with pytest.raises(Interrupted), session_in(world) as session:
        session.start(entry.id, Interrupting(world, entry, Settings((0,))))
    assert world.lines("stop ") == [entry.id]


@pytest.mark.parametrize("where", ["cache", "solr"])
@pytest.mark.parametrize("error", [Interrupted(), subprocess.TimeoutExpired("docker stop", 180), OSError(5, "I/O")])
def test_whatever_stops_one_part_of_a_backend_the_others_are_stopped(where: str, error: BaseException) -> None:
    stopped: list[str] = []

    class Part:
        def __init__(self, name: str) -> None:
            self.name = name

        def stop(self) -> None:
            stopped.append(self.name)
            if self.name == where:
                raise error

    def clean_up() -> None:
        stopped.append("rest")

    solr: Any = Part("solr")
    cache: Any = Part("cache")
    backend = Backend(solr, cache, "", Access({}), find_repository().fixtures, Numbers.drawn(), clean_up)
    with pytest.raises(type(error)):
        backend.__exit__(None, None, None)
    assert stopped == ["cache", "solr", "rest"]


def test_ctrl_c_while_a_group_is_stopped_kills_it(tmp_path: Path) -> None:
    code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True); time.sleep(600)"
    with (tmp_path / "log").open("wb") as log:
        leader = start_group([sys.executable, "-c", code], env=environment({}), cwd=tmp_path, log=log, cpus=None)
    wait_until(lambda: bool((tmp_path / "log").read_bytes()))
    signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    with pytest.raises(Interrupted):
        stop_group(leader, grace=60)
    assert group_members(leader) == []
    assert not psutil.pid_exists(leader.pid)


def test_a_group_whose_number_a_stranger_has_gets_no_signal(tmp_path: Path) -> None:
    """The leader has been waited for, so the process that has its PID is another one."""
    with (tmp_path / "log").open("wb") as log:
        stranger = start_group(["sleep", "60"], env=environment({}), cwd=tmp_path, log=log, cpus=None)
    leader = subprocess.Popen(["true"])
    leader.wait()
    leader.pid = stranger.pid
    assert group_members(leader) == []
    assert stop_group(leader, grace=1)
    pause_group(leader)
    assert stranger.poll() is None
    assert psutil.Process(stranger.pid).status() != psutil.STATUS_STOPPED
    stop_group(stranger)
    assert stranger.poll() == -signal.SIGTERM


@pytest.fixture
def slow_docker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A docker command that writes down what it is asked. The subcommand in the file `slow` does not end."""
    body = f'echo "$@" >>{tmp_path}/asked\n[ "$1" != "$(cat {tmp_path}/slow)" ] || exec sleep 600'
    program = a_program(tmp_path / "bin/docker", body)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    monkeypatch.setattr(engine, "STOP_SECONDS", 0.3)
    return tmp_path


@pytest.mark.parametrize("slow", ["stop", "rm", "network"])
def test_an_engine_that_takes_too_long_leaves_nothing_untried(slow_docker: Path, slow: str) -> None:
    (slow_docker / "slow").write_text(slow)
    engine.stop("one", 5)
    engine.remove(["one", "two"], "net")
    asked = [line.split()[0] for line in (slow_docker / "asked").read_text().splitlines()]
    assert asked == ["stop", "rm", "rm", "network"]


def test_an_engine_that_does_not_answer_says_nothing_of_the_container(
    slow_docker: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (slow_docker / "slow").write_text("inspect")
    real = engine.docker
    monkeypatch.setattr(engine, "docker", lambda *words, **named: real(*words, **{**named, "timeout": 0.3}))
    assert engine.exit_reason("one") is None


LOOKS_WHILE_DYING = 3


class DyingTarget(FakeTarget):
    """An app whose port is closed. Its process is seen as running for some more looks where it is `dying`."""

    def __init__(self, entry: Entry, *, dying: bool) -> None:
        super().__init__(World(), entry, Settings(cpus=(0,)))
        self.base_url = f"http://127.0.0.1:{free_port()}"
        self._dying = dying
        self._looks = 0

    def exit_reason(self) -> str | None:
        self._looks += 1
        return "was ended by signal 9" if self._dying and self._looks > LOOKS_WHILE_DYING else None


@pytest.fixture
def entry(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> Entry:
    """One whose end is not waited for long."""
    monkeypatch.setattr("restbench.targets.interface.ENDING_SECONDS", 0.2)
    return catalog.entries["python/falcon"]


def test_the_app_and_not_its_cells_is_at_fault_for_its_death(entry: Entry) -> None:
    cells = entry.cells(["hello"])
    (verdict,) = after_load(DyingTarget(entry, dying=True), entry, cells, random.Random(1))
    assert verdict.check == "alive"
    assert "it was ended by signal 9" in str(verdict.broken)


def test_an_app_that_runs_and_refuses_connections_is_alive_and_its_cells_are_wrong(entry: Entry) -> None:
    cells = entry.cells(["hello"])
    *answers, alive = after_load(DyingTarget(entry, dying=False), entry, cells, random.Random(1))
    assert alive.kept
    assert [verdict.check for verdict in answers if verdict.broken] == ["after-load"] * len(cells)


def test_a_load_that_fails_because_the_app_dies_is_the_app_s_death(entry: Entry) -> None:
    app = LoadedCell(entry, entry.cells(["hello"])[0], DyingTarget(entry, dying=True))
    with pytest.raises(AppDiedError, match=r"was ended by signal 9 under load"), blaming_the_app(app):
        raise LoadError("wrk: connection refused")


def test_a_load_that_fails_while_the_app_runs_is_the_load_generator_s_failure(entry: Entry) -> None:
    app = LoadedCell(entry, entry.cells(["hello"])[0], DyingTarget(entry, dying=False))
    with pytest.raises(ToolError, match="failed with code 139"), blaming_the_app(app):
        raise ToolError("wrk failed with code 139")


def test_ctrl_c_while_restbench_is_imported_ends_it_without_a_word() -> None:
    """The signal comes when the first module of the command line is looked for."""
    program = """
import os, signal, sys
class Interrupting:
    def find_spec(self, name, *_more):
        if name == "restbench.cli":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
from restbench.__main__ import main
main()
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert (ran.returncode, ran.stdout, ran.stderr) == (-signal.SIGINT, "", "")
