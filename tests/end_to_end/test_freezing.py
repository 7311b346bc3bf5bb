"""Apps that are frozen while another one is loaded, in each way to freeze them, and an app that changes the harness."""

import json
import shutil
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import psutil
import pytest

from restbench.catalog import Entry, load_catalog
from restbench.conformance import Client
from restbench.containers import cgroups, engine
from restbench.measure import freezing
from restbench.measure.freezing import frozen
from restbench.measure.machine import CHECKOUT
from restbench.system.cpus import this_machine
from restbench.system.ports import free_port
from restbench.system.repository import Repository
from restbench.targets import Settings, Target, cpu_time
from restbench.targets import docker as docker_target
from restbench.targets.app_processes import usable
from restbench.targets.docker import DockerRuntime
from restbench.targets.native import NativeRuntime
from tests.end_to_end.made import GOOD, made_repository, marked_processes, restbench, wait_until
from tests.end_to_end.test_docker import DOCKERFILE

pytestmark = pytest.mark.slow
CPUS = this_machine().app

BUSY = """\
import threading, time

def work():
    while True:
        sum(range(1000))
        time.sleep(0.0001)

threading.Thread(target=work, daemon=True).start()
"""
"""It works all the time, beside what it answers."""

ENDS_IN_ORDER = """\
import signal, sys

def end(*_):
    open(__file__ + ".end", "w").write("in order")
    sys.exit(0)

signal.signal(signal.SIGTERM, end)
"""

WATCHDOG = """\
import os, time

SECONDS = 1.5

def beat(pipe):
    while True:
        os.write(pipe, b"%r\\n" % time.monotonic())
        time.sleep(0.05)

def watch(worker, pipe):
    last = None
    for line in os.fdopen(pipe):
        now = float(line)
        if last is not None and now - last > SECONDS:
            print(f"the worker said nothing for {now - last:.1f} s", flush=True)
            os._exit(9)
        last = now

ours, theirs = os.pipe()
worker = os.fork()
if worker:
    os.close(theirs)
    watch(worker, ours)
    os._exit(3)
os.close(ours)
import threading
threading.Thread(target=beat, args=(theirs,), daemon=True).start()
"""
"""A parent that ends its app when the worker was silent for too long, as gunicorn does with a worker."""

ASKS = """\
import http.client, threading, time

def ask(port):
    with open(os.environ["FIXTURES"] + "/../asked", "a", buffering=1) as note:
        while True:
            try:
                other = http.client.HTTPConnection("127.0.0.1", port, timeout=1)
                for _ in range(60):
                    print(time.time(), file=note)
                    other.request("GET", "/hello_world")
                    other.getresponse().read()
            except OSError:
                time.sleep(0.01)

for port in (int(os.environ["PORT"]) - 1, int(os.environ["PORT"]) + 1):
    threading.Thread(target=ask, args=(port,), daemon=True).start()
"""
"""It asks its neighbours all the time."""

IMPORTS = "import os\n"


def with_code(code: str) -> str:
    return GOOD.replace(IMPORTS, IMPORTS + code, 1)


def made(folder: Path, code: str) -> Entry:
    repository = made_repository(folder, "good")
    entry = load_catalog(repository).entries["test/good"]
    (entry.folder / "app.py").write_text(with_code(code))
    return entry


UNIFIED = cgroups.CgroupParent((Path("/sys/fs/cgroup/unified"),), shares=False, version="v2")
PLACES: dict[str, Callable[[], cgroups.CgroupParent | None]] = {
    "signals to a tree of processes": lambda: None,
    "signals to a cgroup": lambda: next(filter(usable, cgroups.places()), None),
    "a cgroup of version 2": lambda: next(
        (place for place in (*cgroups.places(), UNIFIED) if place.version == "v2" and usable(place)), None
    ),
}


@pytest.fixture(params=PLACES)
def native(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    place = PLACES[request.param]()
    if place is None and request.param in list(PLACES)[1:]:
        pytest.skip("no such cgroups can be made here")
    monkeypatch.setattr(cpu_time, "app_place", lambda: place)
    return str(request.param)


def target_of(entry: Entry) -> Target:
    return NativeRuntime(Repository(entry.folder.parents[2])).target(entry, Settings(CPUS))


def wait_ready(target: Target) -> None:
    with Client(target.base_url) as client:
        wait_until(lambda: answers(client))


def answers(client: Client) -> bool:
    try:
        return client.ask("GET", "/hello_world").status == 200
    except Exception:
        return False


def check_frozen(target: Target) -> None:
    """Freezes a busy app and thaws it. Meanwhile it works no more, and all that is asked of it is known."""
    assert works(target)
    target.freeze()
    assert not works(target)
    assert target.exit_reason() is None
    assert target.resources().memory_bytes > 1e6
    target.thaw()
    assert works(target)
    wait_ready(target)
    target.thaw()
    assert works(target), "to thaw it once more does nothing"


def works(target: Target) -> bool:
    """Whether the app uses CPU time. That of stopping is not counted, as a round begins later too."""
    time.sleep(0.05)
    before = target.cpu_seconds()
    time.sleep(0.3)
    return target.cpu_seconds() > before


@pytest.mark.usefixtures("native")
def test_a_native_app_does_nothing_until_it_is_thawed(tmp_path: Path) -> None:
    with target_of(made(tmp_path, BUSY)) as target:
        wait_ready(target)
        check_frozen(target)


@pytest.mark.usefixtures("native")
def test_an_app_that_is_stopped_while_it_is_frozen_ends_in_order(tmp_path: Path) -> None:
    entry = made(tmp_path, ENDS_IN_ORDER)
    with target_of(entry) as target:
        wait_ready(target)
        target.freeze()
    assert (entry.folder / "app.py.end").read_text() == "in order"
    assert marked_processes(Repository(tmp_path)) == []


@pytest.mark.usefixtures("native")
def test_a_frozen_app_of_a_killed_harness_can_be_killed(tmp_path: Path) -> None:
    with target_of(made(tmp_path, BUSY)) as target:
        wait_ready(target)
        target.freeze()
        processes = marked_processes(Repository(tmp_path))
        for process in processes:
            process.kill()
        wait_until(lambda: target.exit_reason() == "was ended by signal 9")
        target.freeze()
        target.thaw()
    assert not any(map(psutil.Process.is_running, processes))


FORKS = """\
import subprocess, sys, threading, time

def fork():
    while True:
        works = "import time\\nfor _ in range(9999): time.sleep(0.001)"
        child = subprocess.Popen([sys.executable, "-S", "-E", "-c", works], start_new_session=True, env={})
        time.sleep(0.01)
        child.kill()
        child.wait()

for _ in range(4):
    threading.Thread(target=fork, daemon=True).start()
"""


@pytest.mark.usefixtures("native")
def test_processes_that_an_app_begins_meanwhile_are_frozen_too(tmp_path: Path) -> None:
    with target_of(made(tmp_path, FORKS)) as target:
        wait_ready(target)
        for _ in range(10):
            target.freeze()
            assert not works(target)
            target.thaw()
            time.sleep(0.02)


@pytest.mark.parametrize("breathes", [True, False])
def test_a_server_with_a_watchdog_lives_on(tmp_path: Path, breathes: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(freezing, "LONGEST_SECONDS", 0.5 if breathes else 60)
    with target_of(made(tmp_path, WATCHDOG)) as target:
        wait_ready(target)
        for _ in range(3):
            with frozen({"test/good": target}):
                time.sleep(2)
        time.sleep(0.5)
        assert (target.exit_reason() is None) == breathes, target.log_tail()


def neighbours(folder: Path, code: str) -> Repository:
    """Makes a repository with an app and a neighbour of it."""
    repository = made_repository(folder, "good", "neighbour")
    (repository.frameworks / "test/neighbour/app.py").write_text(with_code(code))
    return repository


@pytest.mark.needs("wrk")
def test_in_a_run_an_app_cannot_ask_its_neighbour_in_its_rounds_and_its_watchdog_ends_nothing(tmp_path: Path) -> None:
    repository = neighbours(tmp_path, WATCHDOG.replace("1.5", "5") + ASKS)
    words = ["test/good", "test/neighbour", "--profile", "quick", "--target", "native", "--port", str(free_port())]
    ran = restbench(repository, "bench", *words)
    assert ran.has_measured, ran.err
    assert "said nothing" not in ran.err
    assert marked_processes(repository) == []
    asked = [float(line) for line in (repository.root / "asked").read_text().split()]
    rounds = [json.loads(line) for line in (repository.out / "rounds.jsonl").read_text().splitlines()]
    begun = [
        datetime.fromisoformat(each["round"]["at"]).timestamp()
        for each in rounds
        if each.get("cell", "").startswith("test/good/") and "overhead_ms" in each["round"]
    ]
    assert len(begun) >= 8
    assert len(asked) > 1000, "before and after it did"
    assert not [moment for moment in asked for at in begun if at < moment < at + 0.35]


CHANGES_WRK = """\
import pathlib
script = pathlib.Path(__file__).parents[3] / "scripts/wrk/scenario.lua"
script.write_text(script.read_text() + "\\n-- my port is " + os.environ["PORT"] + "\\n")
"""


@pytest.mark.needs("wrk")
def test_an_app_that_writes_to_the_script_of_wrk_gets_no_figure(tmp_path: Path) -> None:
    """The harness runs from a copy, whose script it may write to."""
    repository = neighbours(tmp_path, CHANGES_WRK)
    shutil.copytree(CHECKOUT / "scripts", tmp_path / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    words = ["bench", "test/good", "test/neighbour", "--profile", "smoke", "--target", "native"]
    ran = restbench(repository, *words, env={"PYTHONPATH": str(tmp_path / "scripts")})
    assert ran.code == 3, ran.err
    assert (
        "- test/good, test/neighbour: scripts/wrk/scenario.lua was written to during the run, so nothing counts that "
        "was measured meanwhile: find out what writes to it, restore it, and run again\n"
    ) in ran.err
    assert "2 of 2 not measured to the end: test/good, test/neighbour\n" in ran.err
    results = [json.loads(path.read_text()) for path in (repository.out / "results/test").glob("*.json")]
    assert len(results) == 2
    assert not any(cell.get("solo", {}).get("throughput") for result in results for cell in result["cells"])


@pytest.fixture(params=["by a file", "by the engine"])
def in_docker(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "by the engine":
        monkeypatch.setattr(docker_target, "_usable", lambda _freezer: None)
    return str(request.param)


def container_of(folder: Path, code: str) -> Target:
    entry = made(folder, code)
    (entry.folder.parent / "Dockerfile").write_text(DOCKERFILE)
    runtime = DockerRuntime(Repository(folder))
    runtime.build(entry)
    return runtime.target(entry, Settings(CPUS))


@pytest.mark.docker
@pytest.mark.extended
@pytest.mark.needs("docker")
@pytest.mark.usefixtures("in_docker")
def test_an_app_in_docker_does_nothing_until_it_is_thawed(tmp_path: Path) -> None:
    with container_of(tmp_path, BUSY) as target:
        wait_ready(target)
        check_frozen(target)


@pytest.mark.docker
@pytest.mark.extended
@pytest.mark.needs("docker")
@pytest.mark.usefixtures("in_docker")
def test_a_frozen_container_is_stopped_in_order(tmp_path: Path) -> None:
    ends = ENDS_IN_ORDER.replace('open(__file__ + ".end", "w").write("in order")', 'print("in order", flush=True)')
    stop = engine.stop
    said: list[str] = []

    def stopping(name: str, grace: float) -> None:
        stop(name, grace)
        said.append(engine.log_tail(name, 1))

    with pytest.MonkeyPatch.context() as patch, container_of(tmp_path, ends) as target:
        wait_ready(target)
        target.freeze()
        patch.setattr(engine, "stop", stopping)
        target.__exit__(None, None, None)
    assert said[0] == "in order"


@pytest.mark.docker
@pytest.mark.extended
@pytest.mark.needs("docker")
@pytest.mark.usefixtures("in_docker")
def test_a_frozen_container_of_a_killed_harness_can_be_removed(tmp_path: Path) -> None:
    with container_of(tmp_path, BUSY) as target:
        wait_ready(target)
        target.freeze()
        name = target.log_command.split()[-1]
        engine.remove([name])
        assert target.exit_reason() == "is gone"
