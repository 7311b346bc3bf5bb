"""What wrk and oha are asked, and what they say. A report of another shape is an error, not a zero."""

import contextlib
import json
import math
import os
import shlex
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from restbench.catalog import Catalog
from restbench.errors import AppDiedError, Interrupted, LoadError, ToolError
from restbench.loadgen import Load, LoadGenerator, LoadResult, Window, run_together, sharing, threads_for
from restbench.loadgen import wrk as wrk_module
from restbench.loadgen.interface import IMPOSSIBLE, RequestShape, checked
from restbench.loadgen.oha import Oha
from restbench.loadgen.oha import parse_report as parse_oha
from restbench.loadgen.wrk import OPENED_AT_ONCE, Wrk, threads_of
from restbench.loadgen.wrk import parse_report as parse_wrk
from restbench.results.journal import Journal
from restbench.system import pools
from restbench.system.processes import CANCEL, CancelledError, run_measured
from tests.end_to_end.made import wait_until
from tests.made.programs import a_program
from tests.unit.fakes import World
from tests.unit.plans import plan_of, run, without_repeats

WRK = {
    "sent": 1003, "requests": 1000, "received": 90000, "seconds": 2.0, "cpu": 1.5, "mean": 307.7, "connect": 0,
    "read": 2, "write": 0, "status": 7, "timeout": 0,
}  # fmt: skip
OHA = {
    "summary": {"successRate": 1.0, "total": 0.5, "average": 0.0011, "totalData": 2000},
    "statusCodeDistribution": {"200": 990, "500": 10},
    "errorDistribution": {"aborted due to deadline": 3, "connection refused": 1},
}
SHAPE = RequestShape("GET", "/users/{id}")
CONNECTIONS = (1, 2, 3, 8, 10, 13, 32, 64, 127, 128, 512)


@pytest.fixture
def on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Path]:
    """Puts a shell script in the place of a program. It writes its arguments to the returned file, one a line."""
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")

    def put(name: str, body: str) -> Path:
        file = tmp_path / f"{name}.arguments"
        a_program(tmp_path / name, f'printf "%s\\n" "$@" > {shlex.quote(str(file))}\n{body}')
        return file

    return put


@pytest.mark.parametrize("connections", CONNECTIONS)
def test_threads_share_the_connections_evenly_on_every_machine(connections: int) -> None:
    for cpus in range(1, 257):
        threads = threads_for(connections, cpus)
        assert 1 <= threads <= min(cpus, connections)
        assert connections % threads == 0
        assert not [n for n in range(threads + 1, min(cpus, connections) + 1) if connections % n == 0]


@pytest.mark.parametrize(
    ("connections", "threads", "wrk"), [(64, 1, 1), (64, 4, 4), (132, 1, 3), (512, 1, 8), (512, 16, 16), (130, 1, 5)]
)
def test_a_thread_of_wrk_opens_no_more_than_a_backlog_holds(connections: int, threads: int, wrk: int) -> None:
    assert threads_of(Load(1, connections, threads, None)) == wrk
    assert connections / wrk <= OPENED_AT_ONCE


@pytest.mark.parametrize(
    ("connections", "cpus", "at_most", "threads"), [(64, 22, None, 16), (64, 22, 4, 4), (64, 2, 4, 2), (64, 22, 3, 2)]
)
def test_threads_are_the_most_that_the_bound_allows(
    connections: int, cpus: int, at_most: int | None, threads: int
) -> None:
    assert threads_for(connections, cpus, at_most) == threads


def test_a_load_that_wrk_would_run_with_fewer_connections_is_refused() -> None:
    with pytest.raises(ValueError, match="22 threads cannot share 64 connections evenly"):
        Load(1, 64, 22, None)


@pytest.mark.parametrize(("seconds", "whole"), [(0.3, 1), (0.5, 1), (2.5, 3), (3, 3)])
def test_wrk_gets_whole_seconds_beyond_the_load_and_the_script_its_exact_end(
    seconds: float, whole: int, on_path: Callable[[str, str], Path]
) -> None:
    file = on_path("wrk", f"echo 'restbench {json.dumps(WRK)}'")
    result = Wrk().run("http://app", SHAPE, Load(seconds, 64, 16, None))
    arguments = file.read_text().splitlines()
    longest = wrk_module.OPENING_SECONDS + whole + wrk_module.DRAIN_SECONDS
    assert arguments[:3] == ["--threads=16", "--connections=64", f"--duration={longest}s"]
    assert arguments[-2] == "--", "nothing follows that shows whether answers are read"
    assert arguments[-1].isdigit()
    assert (result.connections, result.requests) == (64, 1000)


ANSWERED = """
import sqlite3, sys
answers = sqlite3.connect(sys.argv[sys.argv.index("--db-url") + 1])
answers.execute("CREATE TABLE oha (duration REAL, status INTEGER)")
answers.executemany("INSERT INTO oha VALUES (?, ?)", [(0.002, 200), (0.5, 500), (0.004, 201)])
answers.commit()
"""
"""Writes answers where oha would."""


def test_oha_sends_at_the_rate_that_is_recorded_and_tells_each_latency(on_path: Callable[[str, str], Path]) -> None:
    file = on_path("oha", f"{sys.executable} -c '{ANSWERED}' \"$@\"\necho '{json.dumps(OHA)}'")
    result = Oha().run("http://app", SHAPE, Load(0.3, 8, 2, None, rate=7))
    assert list(result.milliseconds) == [2.0, 4.0]
    arguments = file.read_text().splitlines()
    assert arguments[arguments.index("-q") + 1] == "7"
    assert arguments[arguments.index("-z") + 1] == "300ms"
    assert {"--latency-correction", "--worker-threads=2"} <= set(arguments)
    assert result.connections == 8


def test_an_oha_that_writes_no_answers_is_another_version(on_path: Callable[[str, str], Path]) -> None:
    on_path("oha", f"echo '{json.dumps(OHA)}'")
    with pytest.raises(ToolError, match="is it another version"):
        Oha().run("http://app", SHAPE, Load(0.3, 8, 2, None, rate=7))


@pytest.mark.parametrize(("name", "generator"), [("wrk", Wrk()), ("oha", Oha())])
def test_a_load_generator_that_dies_under_load_has_no_figures(
    name: str, generator: LoadGenerator, on_path: Callable[[str, str], Path]
) -> None:
    on_path(name, "echo 'out of file descriptors' >&2\nkill -KILL $$")
    with pytest.raises(ToolError, match=f"{name} was ended by signal 9: out of file descriptors") as error:
        generator.run("http://app", SHAPE, Load(0.3, 8, 2, None, rate=7))
    assert error.value.detail == "out of file descriptors"


@pytest.mark.parametrize(
    ("name", "generator", "output"),
    [("wrk", Wrk(), "Requests/sec: many"), ("wrk", Wrk(), "restbench Requests/sec: many"), ("oha", Oha(), "many")],
)
def test_a_load_generator_that_reports_something_else_has_no_figures(
    name: str, generator: LoadGenerator, output: str, on_path: Callable[[str, str], Path]
) -> None:
    on_path(name, f"echo '{output}'")
    with pytest.raises(ToolError):
        generator.run("http://app", SHAPE, Load(0.3, 8, 2, None, rate=7))


def test_a_wrk_that_does_not_end_is_killed(
    on_path: Callable[[str, str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_path("wrk", f"trap '' INT\necho $$ > {tmp_path}/pid\nexec sleep 60")
    monkeypatch.setattr(wrk_module, "GRACE_SECONDS", 2.0 - wrk_module.OPENING_SECONDS - wrk_module.DRAIN_SECONDS)
    pinned = (min(os.sched_getaffinity(0)),)  # by taskset, whose process becomes wrk's
    with pytest.raises(ToolError, match=r"wrk failed: .* did not end"):
        Wrk().run("http://app", SHAPE, Load(0.3, 8, 2, pinned))
    assert not psutil.pid_exists(int((tmp_path / "pid").read_text()))


def test_wrk_is_read_in_milliseconds_and_errors_by_kind() -> None:
    result = parse_wrk(json.dumps(WRK), connections=64)
    assert result.throughput == 500
    assert result.mean_ms == 0.3077
    assert result.errors == {"read": 2, "status above 399": 7, "unanswered": 1}
    assert result.sent == 1003
    assert result.cpu_seconds == 1.5
    assert result.received == 90_000


def test_oha_counts_answers_by_status_because_its_success_rate_counts_errors_too() -> None:
    result = parse_oha(json.dumps(OHA), cpu_seconds=0.1, connections=8)
    assert result.requests == 1000
    assert result.errors == {"status 500": 10, "connection refused": 1}
    assert result.mean_ms == 1.1
    assert result.throughput == 2000
    assert result.received == 2000


@pytest.mark.parametrize("line", ["", "{}", json.dumps(WRK | {"requests": "many"}), json.dumps(WRK | {"new": 1})])
def test_another_report_of_wrk_is_refused(line: str) -> None:
    with pytest.raises(ToolError, match="wrk's report is not as"):
        parse_wrk(line, 64)


@pytest.mark.parametrize(("errors", "message"), [({"timeout": 45}, "45 × timeout"), ({}, "none was sent")])
def test_without_an_answer_there_are_no_times_and_the_error_says_what_came_of_requests(
    errors: dict[str, int], message: str
) -> None:
    silent = {"total": 5.3, "average": None, "slowest": None}
    report = {**OHA, "summary": silent, "statusCodeDistribution": {}, "errorDistribution": errors}
    with pytest.raises(LoadError, match=f"no request was answered: {message}"):
        parse_oha(json.dumps(report), 0.0, 8)


@pytest.mark.parametrize("missing", ["summary", "statusCodeDistribution", "errorDistribution"])
def test_another_report_of_oha_is_refused(missing: str) -> None:
    with pytest.raises(ToolError, match="oha's report lacks"):
        parse_oha(json.dumps({key: value for key, value in OHA.items() if key != missing}), 0.0, 8)


GOOD = LoadResult(1000, 2.0, 1.5, {}, 0.2, 64, 90_000, sent=1000, milliseconds=(1.0, 1.5, 2.0))
LIES: dict[str, dict[str, Any]] = {
    "no time": {"seconds": 0.0},
    "less than no time": {"seconds": -1.0},
    "no number": {"seconds": math.nan},
    "for ever": {"mean_ms": math.inf},
    "answers at once": {"mean_ms": 0.0},
    "percentiles of 0": {"milliseconds": (0.0,) * 9502},
    "latencies of 0 for most": {"milliseconds": (0.0, 0.0, 0.0, 1.0)},
    "a negative latency": {"milliseconds": (1.0, -1.0, 1.0)},
    "more latencies than answers": {"requests": 2},
    "negative answers": {"requests": -5},
    "negative errors": {"errors": {"read": -1}},
    "negative bytes": {"received": -1},
    "negative requests": {"sent": -1},
    "negative CPU time": {"cpu_seconds": -0.1},
}


def test_a_report_that_can_be_true_stays_as_it_is() -> None:
    nothing = LoadResult(0, 0.0, 0.0, {"connect": 64}, 0.0, 64)
    assert (checked(GOOD), checked(nothing)) == (GOOD, nothing)


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_a_report_that_cannot_be_true_has_no_figures(lie: dict[str, Any]) -> None:
    found = checked(replace(GOOD, **lie))
    assert found.is_impossible
    assert (found.requests, found.errors) == (0, {IMPOSSIBLE: 1})
    assert found.throughput == 0


def test_the_round_of_such_a_report_is_refused_and_no_cell_fails(catalog: Catalog, journal: Journal) -> None:
    world = World(lies=3)
    suites = ["hello", "solr", "workload"]
    plan = plan_of(catalog, world, patterns="python/fastapi", suites=suites, reference=None, baselines={})
    outcome, _ = run(without_repeats(plan), journal)
    assert outcome.failures == []
    refused = [reason for result in outcome.results for cell in result.cells for reason in cell.refused]
    assert set(refused) == {f"errors: {IMPOSSIBLE}"}


def result(requests: int) -> LoadResult:
    return LoadResult(requests, 1.0, 1.0, {}, 0.0, 1)


def command(*argv: str) -> Callable[[], LoadResult]:
    """A run that counts what its command prints."""

    def run() -> LoadResult:
        return result(len(run_measured(list(argv), cpus=None, timeout=60).stdout))

    return run


def failing() -> LoadResult:
    raise ToolError("wrk failed with code 1")


def test_all_run_at_the_same_time_and_results_keep_their_order(tmp_path: Path) -> None:
    """Each waits for the other's file, so one after the other would never end."""
    meet = "touch {0}; while ! [ -e {1} ]; do sleep 0.01; done; printf {2}"
    a, b = tmp_path / "a", tmp_path / "b"
    runs = [command("sh", "-c", meet.format(a, b, "x")), command("sh", "-c", meet.format(b, a, "xyz"))]
    assert run_together(runs) == [result(1), result(3)]


@pytest.mark.parametrize("first", [True, False])
def test_one_that_fails_does_not_lose_the_other(first: bool) -> None:
    good = command("sh", "-c", "sleep 0.2; printf xy")
    outcomes = run_together([failing, good] if first else [good, failing])
    failed, ran = outcomes if first else reversed(outcomes)
    assert isinstance(failed, ToolError)
    assert failed.message == "wrk failed with code 1"
    assert ran == result(2)


def test_any_other_error_is_raised() -> None:
    def broken() -> LoadResult:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run_together([broken, command("printf", "x")])


@dataclass
class Noted(Window):
    """Notes what loads say, and when it opens, begins and ends. `fails`: where an app is found dead."""

    fails: str = ""
    notes: list[str] = field(default_factory=list)

    def open(self) -> None:
        self.note("open")

    def begin(self) -> None:
        self.note("begin")

    def end(self) -> None:
        self.note("end")

    def note(self, what: str) -> None:
        self.notes.append(what)
        if what == self.fails:
            raise AppDiedError("the app exited with code 3")

    def load(self, window: Window) -> LoadResult:
        self.note("started")
        window.open()
        self.note("opened")
        window.begin()
        self.note("answered")
        window.end()
        return result(1)


def test_a_window_of_several_loads_waits_for_all_to_start_to_open_and_to_be_answered() -> None:
    window = Noted()
    assert run_together(sharing(window, [window.load] * 3)) == [result(1)] * 3
    assert window.notes == [*["started"] * 3, "open", *["opened"] * 3, "begin", *["answered"] * 3, "end"]


def failing_within(window: Window) -> LoadResult:
    window.open()
    window.begin()
    return failing()


@pytest.mark.parametrize("load", [lambda _window: failing(), failing_within], ids=["before", "within"])
def test_a_load_whose_other_fails_does_not_wait_for_it(load: Callable[[Window], LoadResult]) -> None:
    window = Noted()
    failed, other = run_together(sharing(window, [load, window.load]))
    assert str(failed) == "wrk failed with code 1"
    assert str(other) == "the load that was sent at the same time has failed"


@pytest.mark.parametrize("moment", ["open", "begin", "end"])
def test_an_error_of_a_window_of_several_loads_is_raised(moment: str) -> None:
    window = Noted(fails=moment)
    with pytest.raises(AppDiedError, match="exited with code 3"):
        run_together(sharing(window, [window.load] * 2))


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, Interrupted])
def test_ctrl_c_in_the_main_thread_kills_both_and_is_raised(tmp_path: Path, interruption: type[BaseException]) -> None:
    pids = [tmp_path / "a", tmp_path / "b"]
    with interrupting(interruption, lambda: all(pid.is_file() and pid.read_text().strip() for pid in pids)):
        run_together([command("sh", "-c", f"echo $$ > {pid}; sleep 50; echo late") for pid in pids])
    assert not any(psutil.pid_exists(int(pid.read_text())) for pid in pids)


def test_ctrl_c_ends_a_load_that_waits_for_the_other() -> None:
    window = Noted()

    def never_open(_: Window) -> LoadResult:
        return command("sleep", "50")()

    with interrupting(KeyboardInterrupt, lambda: bool(window.notes)):
        run_together(sharing(window, [window.load, never_open]))
    assert window.notes == ["started"]


@contextlib.contextmanager
def interrupting(interruption: type[BaseException], is_time: Callable[[], bool]) -> Iterator[None]:
    """The block gets the interruption as soon as it is time, raises it, and does not wait for what it runs."""
    sent_at = []

    def interrupt(*_: object) -> None:
        raise interruption("interrupted")

    def send_signal() -> None:
        while not is_time():
            time.sleep(0.01)
        sent_at.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGUSR1)

    before = signal.signal(signal.SIGUSR1, interrupt)
    try:
        threading.Thread(target=send_signal).start()
        with pytest.raises(interruption):
            yield
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert time.monotonic() - sent_at[0] < 25, "the commands ran to their end"


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


def test_a_thread_that_has_to_end_starts_nothing_that_lasts(tmp_path: Path) -> None:
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
