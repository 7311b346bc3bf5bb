"""CPU time of native apps: all of it is counted, all of its processes are stopped, and two apps share a CPU equally."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import psutil
import pytest

from restbench.catalog import load_catalog
from restbench.errors import AppDiedError
from restbench.system import own_cgroups, owners, processes
from restbench.system.cpus import this_machine
from restbench.system.resource_use import cpu_clock
from restbench.targets import Settings, app_processes, cpu_time
from restbench.targets.app_processes import AppCgroup
from restbench.targets.native import NativeRuntime, NativeTarget
from tests.end_to_end.made import made_repository, wait_until

pytestmark = pytest.mark.slow
CPU = this_machine().app[-1:]
"""One CPU, which all apps of a test share."""

WORK = """\
import os, subprocess, sys, threading, time

def work(seconds):
    began = time.process_time()
    while time.process_time() - began < seconds:
        pass

def tell(text):
    with open(__file__ + ".tmp", "w") as note:
        note.write(str(text))
    os.rename(__file__ + ".tmp", __file__ + ".note")

def idle():
    time.sleep(3600)
"""

APPS = {
    "a worker with a session of its own": """
worker = [sys.executable, "-c", "while True: pass"]
tell(subprocess.Popen(worker, start_new_session=True).pid)
idle()
""",
    "a worker with an environment of its own": """
worker = [sys.executable, "-c", "while True: pass"]
tell(subprocess.Popen(worker, start_new_session=True, env={}).pid)
idle()
""",
    "a daemon": """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        tell(os.getpid())
        while True:
            pass
    os._exit(0)
os.wait()
idle()
""",
    "a thread that ended": """
def one():
    work(0.3)
    tell(time.thread_time())
thread = threading.Thread(target=one)
thread.start()
thread.join()
idle()
""",
    "a worker that ended": """
subprocess.run([sys.executable, "-c", "import time\\nwhile time.process_time() < 0.3: pass"])
tell(0.3)
idle()
""",
    "one busy process": "tell(os.getpid())\nwhile True: pass\n",
    "eight busy processes": """
for _ in range(7):
    if os.fork() == 0:
        break
else:
    tell(os.getpid())
while True:
    pass
""",
    "nothing": "tell(os.getpid())\nidle()\n",
}


TICKS = 0.02
"""What a count of seconds may be behind: one tick of user time and one of system time."""

needs_cgroups = pytest.mark.skipif(cpu_time.app_place() is None, reason="no cgroups can be made here")


class App(NamedTuple):
    """A target, and the file in which its app tells a PID or a number of seconds."""

    target: NativeTarget
    note: Path


def app(folder: Path, what: str) -> App:
    repository = made_repository(folder, "good")
    entry = load_catalog(repository).entries["test/good"]
    source = entry.folder / "app.py"
    source.write_text(WORK + APPS[what])
    return App(NativeRuntime(repository).target(entry, Settings(CPU)), source.with_name("app.py.note"))


def tells(note: Path) -> float:
    wait_until(note.is_file)
    return float(note.read_text())


@pytest.fixture(params=["cgroups", "clocks"])
def counted_by(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways to count, where this machine has both."""
    if request.param == "clocks":
        monkeypatch.setattr(cpu_time, "app_place", lambda: None)
    elif cpu_time.app_place() is None:
        pytest.skip("no cgroups can be made here")
    return str(request.param)


def my_cgroups() -> list[Path]:
    return [cgroup for cgroup in own_cgroups.find() if own_cgroups.owner_of(cgroup) == owners.owner_id()]


@pytest.mark.usefixtures("counted_by")
@pytest.mark.parametrize("what", [what for what in APPS if what.startswith(("a worker with", "a daemon"))])
def test_a_process_that_left_the_group_is_counted_and_stopped(tmp_path: Path, what: str) -> None:
    target, note = app(tmp_path, what)
    with target:
        worker = psutil.Process(int(tells(note)))
        wait_until(lambda: cpu_clock(worker.pid) > 0.5)
        for count in (target.cpu_seconds, lambda: target.resources().cpu_seconds):
            # the worker goes on, so a count that has it can only be behind by a tick
            used = cpu_clock(worker.pid)
            assert count() > used - TICKS
    assert not worker.is_running() or worker.status() == psutil.STATUS_ZOMBIE
    assert my_cgroups() == []


@pytest.mark.usefixtures("counted_by")
@pytest.mark.parametrize("what", ["a thread that ended", "a worker that ended"])
def test_what_ended_stays_counted(tmp_path: Path, what: str) -> None:
    target, note = app(tmp_path, what)
    with target:
        assert target.cpu_seconds() < 10
        used = tells(note)
        wait_until(lambda: target.cpu_seconds() > used - TICKS, 5)


@pytest.mark.usefixtures("counted_by")
def test_an_app_that_was_killed_is_reported_and_leaves_no_cgroup(tmp_path: Path) -> None:
    target, note = app(tmp_path, "nothing")
    with target:
        os.kill(int(tells(note)), signal.SIGKILL)
        wait_until(lambda: target.exit_reason() is not None)
        for count in (target.cpu_seconds, target.resources):
            with pytest.raises(AppDiedError, match="the app was ended by signal 9"):
                count()
    assert my_cgroups() == []


@needs_cgroups
def test_a_cgroup_is_there_for_as_long_as_its_app(tmp_path: Path) -> None:
    target, note = app(tmp_path, "nothing")
    with target:
        leader = int(tells(note))
        assert {leader} == {pid for cgroup in my_cgroups() for pid in own_cgroups.pids(cgroup)}
    assert my_cgroups() == []


@needs_cgroups
def test_cgroups_of_a_killed_harness_are_removed_and_only_those(monkeypatch: pytest.MonkeyPatch) -> None:
    place = cpu_time.app_place()
    assert place is not None
    tells_owner = [sys.executable, "-c", "from restbench.system.owners import owner_id; print(owner_id())"]
    dead = subprocess.run(tells_owner, capture_output=True, text=True, check=True).stdout.strip()
    mine = AppCgroup(place)
    monkeypatch.setattr(app_processes, "owner_id", lambda: dead)
    orphan = AppCgroup(place)
    # without the variable that marks processes, so that only the cgroup tells whose they are
    argv, env = ["sleep", "60"], {"PATH": os.environ["PATH"]}
    with (
        subprocess.Popen(orphan.command(argv), env=env) as theirs,
        subprocess.Popen(mine.command(argv), env=env) as own,
    ):
        orphan.started(theirs)
        mine.started(own)
        try:
            processes.remove_orphans()  # unless a command of a test beside this one was faster
            assert theirs.wait(10) == -signal.SIGKILL
            assert not [cgroup for cgroup in own_cgroups.find() if own_cgroups.owner_of(cgroup) == dead]
            assert own.poll() is None
            assert len(my_cgroups()) == len(place.folders)
        finally:
            mine.close()
            orphan.close()


@pytest.mark.usefixtures("counted_by")
def test_two_apps_get_equal_shares_of_a_cpu_whatever_their_processes(tmp_path: Path) -> None:
    if unfair := cpu_time.fair_sharing():
        pytest.skip(unfair)
    one, many = app(tmp_path / "one", "one busy process"), app(tmp_path / "many", "eight busy processes")
    with one.target, many.target:
        tells(one.note)
        tells(many.note)
        targets = (one.target, many.target)
        before = [target.cpu_seconds() for target in targets]
        time.sleep(2)
        used = [target.cpu_seconds() - earlier for target, earlier in zip(targets, before, strict=True)]
    assert 0.4 < used[0] / sum(used) < 0.6
