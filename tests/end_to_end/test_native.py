"""Native targets: started, watched, stopped for sure, whatever the app does."""

import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from restbench.catalog import Entry, load_catalog
from restbench.catalog.profiles import find_profile
from restbench.cli import SAME_INTERRUPTION_SECONDS
from restbench.conformance import Client
from restbench.errors import AppDiedError, StartError
from restbench.measure import tools
from restbench.results.files import read_folder
from restbench.system import processes
from restbench.system.cpus import this_machine
from restbench.system.repository import Repository
from restbench.targets import Settings
from restbench.targets.native import NativeRuntime, NativeTarget
from tests.end_to_end.made import bystanders, in_background, made_repository, marked_processes, restbench, wait_until

pytestmark = pytest.mark.slow
CPUS = this_machine().app


def target_of(tmp_path: Path, app: str, **settings: int) -> tuple[NativeTarget, Entry, Repository]:
    repository = made_repository(tmp_path / "repository", app)
    entry = load_catalog(repository).entries[f"test/{app}"]
    return NativeRuntime(repository).target(entry, Settings(CPUS, **settings)), entry, repository  # type: ignore[arg-type]


def wait_ready(target: NativeTarget, entry: Entry, patience: float = 20) -> float:
    return tools.wait_ready(target, entry, entry.cells(["hello"])[0], random.Random(1), patience).seconds


def test_an_app_is_pinned_measured_and_stopped(tmp_path: Path) -> None:
    target, entry, repository = target_of(tmp_path, "good")
    with target:
        assert wait_ready(target, entry) > 0
        (process,) = marked_processes(repository)
        assert set(process.cpu_affinity() or []) == set(CPUS)
        before = target.resources()
        with Client(target.base_url) as client:
            for _ in range(300):
                client.ask("GET", "/hello_world")
        assert f"PORT={target.base_url.rpartition(':')[2]}" in target.run_beside(["cat", "/proc/{pid}/environ"]).split(
            "\0"
        )
        assert target.run_beside(["nproc"]) == f"{len(CPUS)}\n", "it is asked on the CPUs of the app"
        after = target.resources()
        assert after.cpu_seconds > before.cpu_seconds
        assert 1e6 < after.memory_bytes < 500e6
        assert target.exit_reason() is None
    assert marked_processes(repository) == []


def test_builds_of_two_revisions_take_turns(tmp_path: Path) -> None:
    _, entry, repository = target_of(tmp_path, "good")
    alone = ["sh", "-c", "mkdir {cache}/being-built && sleep 0.3 && rmdir {cache}/being-built"]
    built = replace(entry, manifest=entry.manifest.model_copy(update={"build": [alone]}))
    with ThreadPoolExecutor() as pool:
        builds = list(pool.map(NativeRuntime(repository).build, [built, replace(built, revision="base")]))
    assert [build.cached for build in builds] == [False, False]


def test_an_app_that_hangs_is_given_up(tmp_path: Path) -> None:
    target, entry, repository = target_of(tmp_path, "hangs")
    with target, pytest.raises(StartError, match="no answer within 1 s of its start") as raised:
        wait_ready(target, entry, patience=1)
    assert raised.value.detail == "thinking"
    assert marked_processes(repository) == []


def test_an_app_that_listens_on_one_address_is_reported_at_once(tmp_path: Path) -> None:
    target, entry, _ = target_of(tmp_path, "listens-on-loopback")
    message = "test/listens-on-loopback: the app listens on 127.0.0.1, not on 0.0.0.0"
    with target, pytest.raises(StartError, match=message):
        wait_ready(target, entry)


def test_an_app_that_ignores_sigterm_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "GRACE_SECONDS", 1.0)
    target, entry, repository = target_of(tmp_path, "ignores-sigterm")
    with target:
        wait_ready(target, entry)
        began = time.monotonic()
    assert time.monotonic() - began >= 1.0
    assert marked_processes(repository) == []


def test_an_app_that_leaks_is_stopped_and_reported(tmp_path: Path) -> None:
    target, entry, repository = target_of(tmp_path, "leaks", memory_bytes=60_000_000)
    with target:
        wait_ready(target, entry)
        with Client(target.base_url) as client, pytest.raises(AppDiedError, match=r"used \d+ MB, more than an app may"):
            for _ in range(2000):
                client.ask("GET", "/hello_world")
                target.resources()
        assert "was stopped" in (target.exit_reason() or "")
    assert marked_processes(repository) == []


def bench_in_background(repository: Repository, name: str = "test/good") -> subprocess.Popen[str]:
    """A bench that would take minutes, as a shell starts it."""
    return in_background(repository, "bench", name, "--target", "native", "--profile", "full")


@pytest.mark.needs("wrk")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_cleans_up_and_keeps_what_was_measured(tmp_path: Path, number: signal.Signals) -> None:
    repository = made_repository(tmp_path / "repository", "good")
    rounds = repository.out / "rounds.jsonl"
    bench = bench_in_background(repository)
    wait_until(lambda: rounds.is_file() and len(rounds.read_text().splitlines()) >= 3)
    bench.send_signal(number)
    _, err = bench.communicate(timeout=30)
    assert bench.returncode == 130
    assert "interrupted: everything that was started has been stopped; the results so far are in" in err
    assert err.endswith(f"continue with: {sys.executable} -m restbench bench --resume\n")
    assert marked_processes(repository) == []
    (cell,) = read_folder(repository.out / "results")["test/good"].cells
    assert cell.solo.count + sum(cell.refused.values()) >= 2


def test_ctrl_c_stops_what_is_being_built(tmp_path: Path) -> None:
    repository = made_repository(tmp_path / "repository", "slow-to-build")
    build = in_background(repository, "build", "slow-to-build/*", "--target", "native")
    wait_until(lambda: len(marked_processes(repository)) > 0)
    build.send_signal(signal.SIGINT)
    _, err = build.communicate(timeout=30)
    assert (build.returncode, err) == (130, "interrupted: everything that was started has been stopped\n")
    assert marked_processes(repository) == []


@pytest.mark.needs("wrk")
def test_a_second_ctrl_c_does_not_wait_for_anything(tmp_path: Path) -> None:
    repository = made_repository(tmp_path / "repository", "ignores-sigterm")
    bench = bench_in_background(repository, "test/ignores-sigterm")
    rounds = repository.out / "rounds.jsonl"
    wait_until(lambda: rounds.is_file() and len(rounds.read_text().splitlines()) >= 1)
    bench.send_signal(signal.SIGINT)
    time.sleep(2 * SAME_INTERRUPTION_SECONDS)
    assert bench.poll() is None, "it waits for the app, which has five seconds to stop"
    bench.send_signal(signal.SIGINT)
    _, err = bench.communicate(timeout=30)
    assert bench.returncode == 130
    assert err.endswith("ended at once: containers that were started are removed by the next run\n")
    wait_until(lambda: marked_processes(repository) == [], 5)


@pytest.mark.needs("wrk")
def test_after_a_kill_the_next_run_removes_what_is_its_own_and_only_that(tmp_path: Path) -> None:
    repository = made_repository(tmp_path / "repository", "good")
    bench = bench_in_background(repository)
    wait_until(lambda: (repository.out / "rounds.jsonl").is_file() and len(marked_processes(repository)) > 0)
    orphans = marked_processes(repository)
    assert orphans
    bench.kill()
    bench.communicate()
    with bystanders():
        processes.remove_orphans()  # unless a command of a test beside this one was faster
        wait_until(lambda: not any(p.is_running() and p.status() != psutil.STATUS_ZOMBIE for p in orphans), 10)


@pytest.mark.thorough
@pytest.mark.needs("wrk")
def test_a_run_that_was_killed_is_taken_up(tmp_path: Path) -> None:
    repository = made_repository(tmp_path / "repository", "good")
    rounds = repository.out / "rounds.jsonl"
    bench = bench_in_background(repository)
    wait_until(lambda: rounds.is_file() and len(rounds.read_text().splitlines()) >= 4)
    bench.kill()
    bench.communicate()
    before = rounds.read_text()
    ran = restbench(repository, "bench", "--resume")
    assert ran.has_measured, ran.err
    assert rounds.read_text().startswith(before[: before.rindex("\n")])
    assert marked_processes(repository) == []
    (cell,) = read_folder(repository.out / "results")["test/good"].cells
    assert cell.solo.count + sum(cell.refused.values()) >= find_profile("full").solo_rounds
    if ran.code == 0:
        again = restbench(repository, "bench", "--resume")
        assert (again.code, again.out) == (4, "")
        assert again.err.endswith("was finished: there is nothing to resume\n")


@pytest.mark.needs("wrk")
def test_ctrl_c_before_the_first_round_leaves_the_last_results(tmp_path: Path) -> None:
    repository = made_repository(tmp_path / "repository", "hangs")
    before = repository.out / "results/test/hangs.json"
    before.parent.mkdir(parents=True)
    before.write_text("the last run's")
    bench = in_background(repository, "bench", "test/hangs", "--target", "native")
    wait_until(lambda: len(marked_processes(repository)) > 0)
    bench.send_signal(signal.SIGINT)
    _, err = bench.communicate(timeout=30)
    assert bench.returncode == 130
    assert "interrupted before anything was measured" in err
    assert before.read_text() == "the last run's"
    assert marked_processes(repository) == []
