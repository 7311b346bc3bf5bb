"""Two load generators at the same time, stood in for by short commands."""

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from restbench.errors import Interrupted, LoadError
from restbench.loadgen import LoadResult, run_together
from restbench.system import pools
from restbench.system.processes import CANCEL, CancelledError, run_measured
from tests.end_to_end.made import wait_until


def result(requests: int) -> LoadResult:
    return LoadResult(requests, 1.0, 1.0, {}, 0.0, 1)


def command(*argv: str) -> Callable[[], LoadResult]:
    """A run that counts what its command prints."""

    def run() -> LoadResult:
        return result(len(run_measured(list(argv), cpus=None, timeout=60).stdout))

    return run


def failing() -> LoadResult:
    raise LoadError("wrk failed with code 1")


def test_all_run_at_the_same_time_and_results_keep_their_order(tmp_path: Path) -> None:
    """Each waits for the other's file, so one after the other would never end."""
    meet = "touch {0}; while ! [ -e {1} ]; do sleep 0.01; done; printf {2}"
    a, b = tmp_path / "a", tmp_path / "b"
    runs = [command("sh", "-c", meet.format(a, b, "x")), command("sh", "-c", meet.format(b, a, "xyz"))]
    assert run_together(runs) == [result(1), result(3)]


@pytest.mark.parametrize("first", [True, False])
def test_one_that_fails_does_not_lose_the_other(first: bool) -> None:
    good = command("sh", "-c", "sleep 0.2; printf xy")
    told = run_together([failing, good] if first else [good, failing])
    failed, ran = told if first else reversed(told)
    assert isinstance(failed, LoadError)
    assert failed.message == "wrk failed with code 1"
    assert ran == result(2)


def test_any_other_error_is_raised() -> None:
    def broken() -> LoadResult:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run_together([broken, command("printf", "x")])


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, Interrupted])
def test_ctrl_c_in_the_main_thread_kills_both_and_is_raised(tmp_path: Path, interruption: type[BaseException]) -> None:
    pids, sent_at = [tmp_path / "a", tmp_path / "b"], []

    def interrupt(*_: object) -> None:
        raise interruption("interrupted")

    def send_signal_when_both_run() -> None:
        while not all(pid.is_file() and pid.read_text().strip() for pid in pids):
            time.sleep(0.01)
        sent_at.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGUSR1)

    before = signal.signal(signal.SIGUSR1, interrupt)
    try:
        threading.Thread(target=send_signal_when_both_run).start()
        with pytest.raises(interruption):
            run_together([command("sh", "-c", f"echo $$ > {pid}; sleep 50; echo late") for pid in pids])
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert time.monotonic() - sent_at[0] < 25, "the commands ran to their end"
    assert not any(psutil.pid_exists(int(pid.read_text())) for pid in pids)


def test_a_signal_just_before_the_main_thread_blocks_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not wake the thread, so the thread blocks for less than a second at a time."""
    looks: list[float | None] = []

    def wait(_futures: object, timeout: float | None = None) -> object:
        looks.append(timeout)
        return SimpleNamespace(not_done={"a future"} if len(looks) < 3 else set())

    monkeypatch.setattr(pools, "wait", wait)
    pools.wait_for([])
    assert len(looks) == 3
    assert all(timeout and timeout < 1 for timeout in looks)


def test_a_thread_that_is_told_to_end_starts_nothing_that_lasts(tmp_path: Path) -> None:
    """The event is set before the command has begun."""
    ended: list[type[BaseException]] = []
    sleep = [sys.executable, "-c", "import time; time.sleep(50)", str(tmp_path)]

    def run() -> None:
        cancel = threading.Event()
        cancel.set()
        CANCEL.set(cancel)
        try:
            run_measured(sleep, cpus=None, timeout=60)
        except CancelledError as error:
            ended.append(type(error))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(25)
    assert ended == [CancelledError]
    # Other tests of this process may have children that last, such as a browser. So this one looks for its own.
    assert sleep not in [process.info["cmdline"] for process in psutil.process_iter(["cmdline"])]


def test_a_cancelled_command_leaves_no_child_in_another_group(tmp_path: Path) -> None:
    """ninja starts each compiler in a process group of its own."""
    pid, cancel = tmp_path / "pid", threading.Event()
    child = f"echo $$ > {pid}.new; mv {pid}.new {pid}; sleep 300"

    def run() -> None:
        CANCEL.set(cancel)
        with contextlib.suppress(CancelledError):
            run_measured(["sh", "-c", f"setsid sh -c '{child}'; true"], cpus=None, timeout=300)

    thread = threading.Thread(target=run)
    thread.start()
    wait_until(pid.is_file)
    cancel.set()
    thread.join(25)
    wait_until(lambda: not psutil.pid_exists(int(pid.read_text())))
