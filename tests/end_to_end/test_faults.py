"""Faults at random moments of a run: nothing is lost, nothing is left, and no process of somebody else is ended.

`--fault-entries` and `--fault-repeats` say how many entries take part, and how often each fault falls.
"""

import contextlib
import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import psutil
import pytest

from restbench.catalog import load_catalog
from restbench.containers.engine import docker
from restbench.targets.toolchains import tools_unavailable_reason
from tests.end_to_end.background import REPOSITORY, Bench, ended
from tests.end_to_end.made import bystanders, wait_until
from tests.made.programs import a_program

pytestmark = [
    pytest.mark.slow,
    pytest.mark.extended,
    pytest.mark.random,
    pytest.mark.timeout(3600),
    pytest.mark.needs("wrk"),
]

LANGUAGE = "python"
SMALL_DISK_BYTES = 32 * 1024 * 1024


@pytest.fixture(scope="module")
def names(request: pytest.FixtureRequest) -> list[str]:
    """Entries that this machine can have."""
    catalog = load_catalog(REPOSITORY)
    here = [e.id for e in catalog.entries.values() if e.language.name == LANGUAGE and not tools_unavailable_reason(e)]
    return here[: request.config.getoption("--fault-entries")]


Undisturbed = Callable[[str, str], float]
Moment = Callable[[float], float]


@pytest.fixture(scope="module")
def seconds_of(names: list[str], tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    """How long a run takes into which no fault falls, by suite and target."""
    known: dict[tuple[str, str], float] = {}

    def run(suite: str, target: str) -> float:
        if (suite, target) not in known:
            bench = Bench(names, suite, target, tmp_path_factory.mktemp("undisturbed"))
            began = time.monotonic()
            code, output = ended(bench.start())
            assert code == 0, output
            assert bench.faulty() == {}
            known[suite, target] = time.monotonic() - began
        return known[suite, target]

    return run


@pytest.fixture
def bench(names: list[str], tmp_path: Path) -> Iterator[Bench]:
    """Checks after the test that nothing is left, and that nobody else lost anything."""
    made = Bench(names, "hello", "native", tmp_path / "out")
    with bystanders():
        yield made
    for pid in made.harnesses:
        with contextlib.suppress(psutil.Error):
            psutil.Process(pid).kill()
    assert made.left() == []


def check_whole(bench: Bench, before: list[str]) -> None:
    """Every entry has its figures, and no round that had been finished was lost."""
    assert bench.faulty() == {}
    check_rounds(bench, before)


def check_rounds(bench: Bench, before: list[str]) -> None:
    assert bench.rounds()[: len(before)] == before
    published = {
        f"{name}/{cell.key}": cell.solo.count + sum(cell.refused.values())
        for name, result in bench.results.items()
        for cell in result.cells
    }
    journaled = bench.solo_rounds()
    assert {cell: published.get(cell, 0) for cell in journaled} == journaled


def check_taken_up(bench: Bench, *, is_over: bool) -> None:
    """What is left of a run is measured, unless it was over before the fault. Then it is whole."""
    before = bench.rounds()
    if not is_over:
        code, output = bench.take_up()
        assert code == 0, output
    check_whole(bench, before)


def wait_for(running: subprocess.Popen[str], seconds: float) -> None:
    with contextlib.suppress(subprocess.TimeoutExpired):
        running.wait(seconds)


@pytest.fixture
def moment(request: pytest.FixtureRequest, record_property: Callable[[str, object], None]) -> Moment:
    """A random moment of a run that takes so many seconds."""

    def choose(seconds: float) -> float:
        chosen = random.uniform(min(5, seconds / 2), seconds)  # not while Python still imports
        name = request.node.originalname.removeprefix("test_").replace("_", " ")
        record_property("fault", (name, f"{chosen:.1f} of {seconds:.1f} s"))
        return chosen

    return choose


def test_the_harness_is_killed(bench: Bench, seconds_of: Undisturbed, moment: Moment) -> None:
    running = bench.start()
    wait_for(running, moment(seconds_of("hello", "native")))
    running.kill()
    code, _ = ended(running)
    check_taken_up(bench, is_over=code == 0)


def test_ctrl_c(bench: Bench, seconds_of: Undisturbed, moment: Moment) -> None:
    running = bench.start()
    wait_for(running, moment(seconds_of("hello", "native")))
    running.send_signal(signal.SIGINT)
    code, output = ended(running)
    assert (code, "Traceback" in output) in [(130, False), (0, False)], output
    assert bench.left() == []
    check_rounds(bench, [])
    check_taken_up(bench, is_over=code == 0)


Running = TypeVar("Running")


def lose_one_entry(
    bench: Bench, seconds: float, running_apps: Callable[[], dict[str, Running]], kill: Callable[[Running], object]
) -> None:
    """Kills the app of one entry after so many seconds. Where that mattered the entry is named, and no other is."""
    running = bench.start()
    wait_for(running, seconds)
    wait_until(lambda: bool(running_apps()) or running.poll() is not None)
    found = running_apps()
    killed = random.choice(sorted(found)) if found else None
    if killed:
        kill(found[killed])
    code, output = ended(running)
    lost = bench.faulty()
    assert set(lost) <= {killed}, lost
    assert running.returncode == 1 if lost else code == 0, output
    check_rounds(bench, [])


def test_an_app_is_killed(bench: Bench, seconds_of: Undisturbed, moment: Moment) -> None:
    after = moment(seconds_of("hello", "native"))
    lose_one_entry(bench, after, bench.apps, lambda pid: os.kill(pid, signal.SIGKILL))


@pytest.mark.docker
@pytest.mark.needs("docker")
def test_a_container_is_killed(bench: Bench, seconds_of: Undisturbed, moment: Moment) -> None:
    bench.target = "docker"
    after = moment(seconds_of("hello", "docker"))
    lose_one_entry(bench, after, bench.app_containers, lambda name: docker("kill", name, check=False))


@pytest.mark.needs("solr")
def test_solr_is_killed(bench: Bench, seconds_of: Undisturbed, moment: Moment) -> None:
    bench.suite = "solr"
    seconds = seconds_of("solr", "native")
    running = bench.start()
    wait_for(running, moment(seconds))
    found = [p for p in bench.processes() if p.name() == "java"]
    if found:
        os.kill(found[0].pid, signal.SIGKILL)
    code, output = ended(running)
    assert code == 0, output
    check_whole(bench, [])


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SMALL_DISK_BYTES}", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode != 0:
        pytest.skip("mounting a small file system takes root")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


def test_the_disk_is_full(bench: Bench, seconds_of: Undisturbed, moment: Moment, small_disk: Path) -> None:
    bench.out = small_disk / "out"
    seconds = seconds_of("hello", "native")
    running = bench.start()
    wait_for(running, moment(seconds))
    filler = small_disk / "filler"
    with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
        while True:
            file.write(b"x" * 4096)
    code, output = ended(running)
    assert (code, "Traceback" in output) in [(4, False), (0, False)], output
    assert bench.left() == []
    filler.unlink()
    assert code == 0 or "No space left on device" in output
    check_taken_up(bench, is_over=code == 0)


def test_a_second_run_is_killed_before_its_first_round(bench: Bench, seconds_of: Undisturbed, moment: Moment) -> None:
    """A run is interrupted. Another one is begun in its folder, and killed while it builds. The first one goes on."""
    running = bench.start()
    wait_for(running, moment(seconds_of("hello", "native")))
    running.send_signal(signal.SIGINT)
    code, _ = ended(running)
    before, beside = bench.rounds(), bench.out / ".rounds.jsonl"
    second = bench.start()
    wait_until(lambda: beside.exists() or second.poll() is not None)
    second.kill()
    ended(second)
    assert bench.rounds() == before
    check_taken_up(bench, is_over=code != 130)


def names_of(processes: Iterable[psutil.Process]) -> Iterator[str]:
    """The names of those that still run."""
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            yield process.name()


@pytest.mark.needs("solr")
def test_ctrl_c_while_solr_is_stopped(bench: Bench, seconds_of: Undisturbed, moment: Moment) -> None:
    bench.suite = "solr"
    seconds = seconds_of("solr", "native")
    after = min(moment(seconds) / seconds, 1.0)  # of the seconds in which Solr is stopped
    running = bench.start()
    names: list[set[str]] = [set()]

    def stops() -> bool:
        names.append(set(names_of(bench.processes())))
        return running.poll() is not None or ("java" in names[-2] and "java" in names[-1] and not bench.apps())

    wait_until(lambda: bool(bench.apps()) or running.poll() is not None, seconds=600)
    wait_until(stops, seconds=1800)
    time.sleep(after)
    running.send_signal(signal.SIGINT)
    code, output = ended(running)
    assert bench.left() == []
    # Python itself may be ended by the signal when the command is over, after the last process was stopped.
    assert (code, "Traceback" in output) in [(130, False), (0, False), (-signal.SIGINT, False)], output
    check_rounds(bench, [])


@pytest.mark.docker
@pytest.mark.needs("docker")
def test_the_engine_does_not_stop_containers(
    bench: Bench, moment: Moment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`docker stop` takes longer than anybody waits for it. The results are there, and no container is left."""
    real = shutil.which("docker")
    body = f'[ "$1" = stop ] && exec sleep {random.randrange(70, 200)}\nexec {real} "$@"'
    program = a_program(tmp_path / "bin/docker", body)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    bench.target = "docker"
    bench.entries = bench.entries[:3]
    moment(10.0)
    code, output = ended(bench.start())
    assert code == 0, output
    check_whole(bench, [])


def test_the_disk_is_full_while_entries_are_built(
    names: list[str], moment: Moment, small_disk: Path, tmp_path: Path
) -> None:
    """What fits is built and measured. The others say that the disk was full, and none has failed."""
    root = tmp_path / "repository"
    for name in ("fixtures", "frameworks", "site"):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).symlink_to(REPOSITORY.root / name)
    (root / ".restbench").symlink_to(small_disk)
    share = moment(20.0) / 20
    (small_disk / "filler").write_bytes(b"x" * int(share * SMALL_DISK_BYTES / 2))
    bench = Bench(names[:4], "hello", "native", tmp_path / "out", root=root)
    with bystanders():
        code, output = ended(bench.start())
    assert "Traceback" not in output
    assert code == 3, output
    assert "not built: the disk is full" in output
    failed = [cell.failure for result in bench.results.values() for cell in result.cells if cell.failure]
    assert failed == []
    assert bench.left() == []


@pytest.mark.parametrize("hours", [-3, 3])
def test_the_clock_steps(bench: Bench, seconds_of: Undisturbed, moment: Moment, hours: int) -> None:
    after = moment(seconds_of("hello", "native"))
    running = bench.start("tests.end_to_end.stepped_clock", f"{after:.1f}", str(hours))
    code, output = ended(running)
    assert code == 0, output
    check_whole(bench, [])


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    metafunc.fixturenames.append("repeat")
    metafunc.parametrize("repeat", range(metafunc.config.getoption("--fault-repeats")))
