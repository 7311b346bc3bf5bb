"""A tool that cannot run is not there, and what a tool does wrong is the machine's fault and never the app's."""

import errno
import json
import os
import random
import resource
import socket
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from restbench.catalog import Catalog, Command
from restbench.changes import series
from restbench.changes.series import Series
from restbench.changes.touched import base_of
from restbench.conformance import Client, NoAnswer
from restbench.conformance.checks import TRIES, outcome
from restbench.errors import LoadError, MachineError, StartError, ToolError
from restbench.loadgen import OHA, WRK, Load, LoadGenerator
from restbench.loadgen.interface import RequestShape
from restbench.loadgen.wrk import open_files_for
from restbench.measure.events import Missing, Remarked
from restbench.measure.tools import wait_ready
from restbench.results.journal import Journal
from restbench.system import limits, versions
from restbench.system.limits import OPEN_FILES, set_open_files
from restbench.system.versions import ask, cannot_pin
from restbench.targets import Settings, toolchains
from restbench.targets.docker import DockerTarget
from restbench.targets.toolchains import commands
from tests.made.programs import a_program
from tests.unit.fakes import FakeTarget, World
from tests.unit.plans import QUICK, plan_of, run, without_repeats

SHAPE = RequestShape("GET", "/users/{id}")
LOAD = Load(0.3, 8, 2, None)
URL = "http://127.0.0.1:1"
GLIBC = "/lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by /cache/oha)"
LIBRARY = "error while loading shared libraries: libluajit-5.1.so.2: cannot open shared object file"


@pytest.fixture(autouse=True)
def living_apps_are_not_watched_for_their_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("restbench.targets.interface.ENDING_SECONDS", 0)


Put = Callable[[str, str], Path]


@pytest.fixture
def put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Put]:
    """Puts a shell script in the place of a program of this machine."""
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr("restbench.system.processes.search_path", lambda: os.environ["PATH"])
    yield lambda name, body: a_program(tmp_path / name, body)
    ask.cache_clear()


CANNOT_RUN = {
    "another libc": (f"cat >&2 <<'end'\n/cache/oha: {GLIBC}\nend\nexit 1", GLIBC),
    "a wrapper around it": (f"cat >&2 <<'end'\n/cache/oha: {GLIBC}\nend\nexit 127", GLIBC),
    "a library that is missing": (f"echo '{LIBRARY}' >&2; exit 127", "error while loading shared libraries"),
    "a wrapper around nothing": ("exec /nowhere/program", "/nowhere/program"),
    "a wrapper around a folder": ("exec /etc", "/etc: Permission denied"),
    "a wrapper that says nothing": ("exit 126", "--version exits with code 126"),
    "another processor's instructions": ("kill -ILL $$", "--version was ended by signal 4"),
    "a traceback": ("printf 'Traceback (most recent call last):\\n  File\\nImportError: six\\n' >&2; exit 1", "six"),
    "no word": ("exit 0", "it prints no version"),
    "another program": ("echo 'rwk 1.0'", "rwk 1.0"),
}


@pytest.mark.parametrize("generator", [WRK, OHA], ids=["wrk", "oha"])
@pytest.mark.parametrize("body", CANNOT_RUN)
def test_a_load_generator_that_cannot_run_is_not_there_and_says_why(
    generator: LoadGenerator, body: str, put: Put
) -> None:
    script, why = CANNOT_RUN[body]
    program = put(generator.name, script)
    reason = generator.unavailable_reason() or ""
    assert reason.startswith(f"{generator.name} is out of order ({program}: "), reason
    assert why in reason
    assert reason.endswith(f"): remove it, and {generator.remedy}")
    assert "\n" not in reason
    assert generator.version() is None


def test_a_program_that_hangs_when_it_is_asked_is_not_there(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its children are ended with it, as they would keep the pipe open."""
    monkeypatch.setattr(versions, "SECONDS", 0.5)
    program = put("oha", "sleep 600")
    assert f"({program}: --version does not end)" in (OHA.unavailable_reason() or "")


def test_a_program_without_an_interpreter_or_without_permission_is_not_there(put: Put, tmp_path: Path) -> None:
    program = put("oha", "echo oha 1.16.0")
    program.write_text("#!/nowhere/sh\n")
    assert f"({program}: No such file or directory)" in (OHA.unavailable_reason() or "")
    program.write_text("#!/bin/sh\necho oha 1.16.0\n")
    program.chmod(0o644)
    ask.cache_clear()
    assert str(program) not in (OHA.unavailable_reason() or "")


@pytest.mark.parametrize(
    ("generator", "says", "version"),
    [
        (WRK, "wrk debian/4.1.0-3+b2 [epoll] Copyright (C) 2012 Will Glozer", "4.1.0-3+b2"),
        (WRK, "wrk 4.2.0 [epoll] Copyright (C) 2012 Will Glozer", "4.2.0"),
        (WRK, "wrk 3a12345 [epoll] Copyright (C) 2012 Will Glozer", "3a12345"),
        (WRK, "wrk  [epoll] Copyright (C) 2012 Will Glozer", None),
        (OHA, "oha 1.16.0", "1.16.0"),
        (OHA, "oha 2.0.0-rc.1", "2.0.0-rc.1"),
    ],
)
def test_one_that_runs_is_there_whatever_its_exit_code(
    generator: LoadGenerator, says: str, version: str | None, put: Put
) -> None:
    put(generator.name, f"echo '{says}'; exit 1")
    assert (generator.unavailable_reason(), generator.version()) == (None, version)


@pytest.mark.parametrize(
    ("generator", "version", "oldest"), [(WRK, "3.1.2", "4.0.0"), (OHA, "0.6.5", "1.9.0"), (OHA, "1.8.0", "1.9.0")]
)
def test_a_version_with_another_report_is_named_before_a_run(
    generator: LoadGenerator, version: str, oldest: str, put: Put
) -> None:
    program = put(generator.name, f"echo '{generator.name} {version}'")
    assert generator.unavailable_reason() == (
        f"{generator.name} is {version} ({program}), and restbench reads reports of {oldest} or newer: "
        f"{generator.remedy}"
    )


def test_a_program_is_asked_once(put: Put, tmp_path: Path) -> None:
    put("wrk", f"echo asked >> {tmp_path}/log; echo wrk 4.1.0")
    for _ in range(3):
        assert WRK.version() == "4.1.0"
    assert (tmp_path / "log").read_text() == "asked\n"


def test_a_command_of_a_toolchain_that_cannot_run_is_out_of_order(put: Put) -> None:
    program = put("rustc", f"echo '{LIBRARY}' >&2; exit 127")
    put("fussy", "echo 'unknown option --version' >&2; exit 2")
    rustc, fussy = commands({"rustc": Command(debian="rustc"), "fussy": Command(debian="fussy")}, versions=True)
    assert rustc.lack.startswith(f"rustc is out of order ({program}: error while loading shared libraries")
    assert rustc.remedy == "install it with: apt-get install rustc"
    assert (fussy.found, fussy.wanted) == ("there", "")


def test_a_uv_that_cannot_run_keeps_python_s_entries_from_being_run(
    catalog: Catalog, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = put("uv", f"echo '{LIBRARY}' >&2; exit 127")
    monkeypatch.setattr(toolchains, "find_uv_bin", lambda: str(program))
    reason = toolchains.tools_unavailable_reason(catalog.entries["python/falcon"]) or ""
    assert reason.startswith(f"uv is out of order ({program}: error while loading shared libraries: ")
    assert reason.endswith("set up anew with: scripts/setup")


REFUSES = 'echo "taskset: failed to set pid 0\'s affinity: Invalid argument" >&2; exit 1'


def test_a_taskset_that_is_refused_the_cpus_is_named_before_a_run(put: Put) -> None:
    program = put("taskset", REFUSES)
    assert str(cannot_pin((0, 1))) == (
        f"taskset is out of order ({program}: failed to set pid 0's affinity: Invalid argument): "
        "allow restbench to use CPU 0,1, or install it with: apt-get install util-linux"
    )
    put("taskset", 'shift 2; exec "$@"')
    ask.cache_clear()
    assert cannot_pin((0, 1)) is None


class Unpinned(FakeTarget):
    """An app that has ended before it began."""

    def __init__(self, catalog: Catalog, log: str) -> None:
        super().__init__(World(), catalog.entries["python/falcon"], Settings(cpus=(0,)))
        self.dead, self._log = True, log

    def log_tail(self, lines: int = 20) -> str:
        return self._log


@pytest.mark.parametrize(
    ("log", "kind"),
    [
        ("taskset: failed to set pid 7's affinity: Invalid argument", MachineError),
        ("taskset: failed to execute gunicorn: No such file or directory", StartError),
        ("app.py: taskset: no", StartError),
    ],
)
def test_an_app_that_cannot_be_pinned_has_not_failed(catalog: Catalog, log: str, kind: type[Exception]) -> None:
    entry = catalog.entries["python/falcon"]
    with pytest.raises(kind) as error:
        wait_ready(Unpinned(catalog, log), entry, entry.cells(["hello"])[0], random.Random(1))
    assert type(error.value) is kind


OF_THE_APP = {"refused": "unable to connect to 127.0.0.1:1 Connection refused"}
OF_THE_MACHINE = {
    "no ports": "unable to connect to 127.0.0.1:1 Cannot assign requested address",
    "no files": "unable to connect to 127.0.0.1:1 Too many open files",
    "no threads": "unable to create thread 200: Resource temporarily unavailable",
    "no memory": "PANIC: unprotected error in call to Lua API (not enough memory)",
    "no CPUs": "taskset: failed to set pid 0's affinity: Invalid argument",
}


@pytest.mark.parametrize("says", OF_THE_APP | OF_THE_MACHINE)
def test_what_wrk_says_of_the_app_is_the_app_s_and_all_else_the_machine_s(says: str, put: Put) -> None:
    text = (OF_THE_APP | OF_THE_MACHINE)[says]
    put("wrk", f'echo "{text}" >&2; exit 1')
    with pytest.raises(LoadError if says in OF_THE_APP else ToolError, match=text.partition("(")[0]):
        WRK.run(URL, SHAPE, LOAD)


def test_a_wrk_that_cannot_be_started_is_the_machine_s(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(put("wrk", "").parent))
    put("wrk", "").write_bytes(b"\x7fELF of another processor")
    with pytest.raises(ToolError, match=r"wrk failed: .*Exec format error"):
        WRK.run(URL, SHAPE, LOAD)


REPORT = {
    "sent": 1000, "requests": 1000, "received": 90000, "seconds": 2.0, "cpu": 1.5, "mean": 307.7, "connect": 5,
    "read": 0, "write": 0, "status": 0, "timeout": 0,
}  # fmt: skip


@pytest.mark.parametrize(
    ("number", "is_machine"), [(errno.EADDRNOTAVAIL, True), (errno.EMFILE, True), (errno.ECONNREFUSED, False)]
)
def test_connections_that_wrk_could_not_open_are_tried_once_more_to_know_why(
    number: int, is_machine: bool, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    put("wrk", f"echo 'restbench {json.dumps(REPORT)}'")
    monkeypatch.setattr(socket, "create_connection", refuse)
    if is_machine:
        with pytest.raises(ToolError, match=f"wrk could not open all connections: {os.strerror(number)}"):
            WRK.run(URL, SHAPE, LOAD)
    else:
        assert WRK.run(URL, SHAPE, LOAD).errors == {"connect": 5}


@pytest.mark.parametrize("kind", ["Too many open files (os error 24)", "Cannot assign requested address (os error 99)"])
@pytest.mark.parametrize("answered", [0, 491])
def test_what_oha_could_not_open_for_the_machine_is_the_machine_s(kind: str, answered: int, put: Put) -> None:
    report = {
        "summary": {"total": 0.5, "average": 0.001 if answered else None, "totalData": 2000},
        "statusCodeDistribution": {"200": answered} if answered else {},
        "errorDistribution": {kind: 9, "Connection refused (os error 111)": 1},
    }
    put("oha", f"echo '{json.dumps(report)}'")
    with pytest.raises(ToolError) as error:
        OHA.run(URL, SHAPE, replace(LOAD, rate=10))
    assert error.value.message == f"oha could not open all connections: 9 × {kind}"


def test_a_client_without_a_port_or_a_file_left_blames_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    for number, kind in ((errno.EMFILE, MachineError), (errno.EADDRNOTAVAIL, MachineError), (errno.EPIPE, NoAnswer)):

        def refuse(*_: object, number: int = number, **__: object) -> None:
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(socket, "create_connection", refuse)
        with Client(URL) as client, pytest.raises(kind):
            client.ask("GET", "/hello_world")


def test_a_check_under_load_is_made_again_when_the_tool_fails_and_then_the_entry_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("restbench.conformance.checks.BETWEEN_TRIES_SECONDS", 0)
    failing = iter([ToolError("wrk was ended by signal 11")] * (2 * TRIES - 1))

    def load() -> int:
        if error := next(failing, None):
            raise error
        return 7

    with pytest.raises(ToolError, match="signal 11"):
        outcome(load)
    found = outcome(load)
    assert (found.value, found.tries, found.note) == (7, 3, "at try 3 of 3; before: wrk was ended by signal 11")


def test_a_tool_that_fails_once_in_a_while_costs_no_round(catalog: Catalog, journal: Journal) -> None:
    world = World(tool_fails=lambda load: load % 3 == 0)
    outcome_, events = run(without_repeats(plan_of(catalog, world)), journal)
    assert (outcome_.failures, outcome_.missed) == ([], [])
    assert {cell.solo.count for result in outcome_.results for cell in result.cells} == {QUICK.solo_rounds}
    assert all(cell.latency for result in outcome_.results for cell in result.cells if "nginx" not in result.entry)
    assert "wrk was ended by signal 11; it is tried once more" in [e.text for e in events if isinstance(e, Remarked)]


@pytest.mark.parametrize("after", [0, 7], ids=["from the warm-up on", "from the rounds on"])
def test_a_tool_that_fails_again_and_again_leaves_entries_unmeasured_and_none_failed(
    after: int, catalog: Catalog, journal: Journal
) -> None:
    world = World(tool_fails=lambda load: load > after)
    outcome_, events = run(without_repeats(plan_of(catalog, world)), journal)
    assert outcome_.failures == []
    assert sorted(outcome_.missed) == ["python/falcon", "python/starlette"]
    assert {e.reason for e in events if isinstance(e, Missing)} == {"wrk was ended by signal 11"}
    if after == 0:
        assert {cell.not_run for r in outcome_.results for cell in r.cells} == {"wrk was ended by signal 11"}


def test_a_tool_that_fails_for_one_cell_costs_no_other(catalog: Catalog, journal: Journal) -> None:
    world = World()
    world.tool_fails = lambda _load: "/board/raw" in world.lines("wrk ")[-1]
    plan = plan_of(catalog, world, patterns="python/falcon", suites=["issue-tracker"], reference=None)
    outcome_, _ = run(without_repeats(plan), journal)
    assert (outcome_.failures, outcome_.missed) == ([], ["python/falcon"])
    cells = {str(cell.key): cell for result in outcome_.results for cell in result.cells}
    assert {cell.not_run for cell in cells.values()} == {None, "wrk was ended by signal 11"}
    assert all(cell.solo.count == QUICK.solo_rounds for cell in cells.values() if not cell.not_run)


def test_what_oha_does_costs_no_round_of_wrk(catalog: Catalog, journal: Journal) -> None:
    world = World()
    world.tool_fails = lambda _load: world.log[-1].startswith("oha ")
    outcome_, _ = run(without_repeats(plan_of(catalog, world)), journal)
    assert (outcome_.failures, outcome_.missed) == ([], ["python/falcon", "python/starlette"])
    cells = [cell for result in outcome_.results for cell in result.cells]
    assert [cell.solo.count for cell in cells] == [QUICK.solo_rounds] * 3


def test_a_tool_that_fails_to_load_the_backend_costs_its_cells_and_they_are_missed(
    catalog: Catalog, journal: Journal
) -> None:
    for fails, missed in ((lambda load: load == 1, []), (lambda load: load <= 2, ["python/fastapi"])):
        world = World(tool_fails=fails)
        plan = plan_of(catalog, world, patterns="python/fastapi", suites=["hello", "solr"], baselines={})
        outcome_, _ = run(without_repeats(plan), journal)
        assert (outcome_.failures, outcome_.missed) == ([], missed)
        measured = {cell.suite for result in outcome_.results for cell in result.cells if cell.measured}
        assert "hello" in measured
        assert ("solr" in measured) is not bool(missed)


def test_an_error_of_the_operating_system_in_the_harness_is_the_machine_s(catalog: Catalog, journal: Journal) -> None:
    def no_processes(_path: str) -> None:
        raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    outcome_, _ = run(plan_of(catalog, World(on_load=no_processes)), journal)
    assert outcome_.failures == []
    assert sorted(outcome_.missed) == ["python/falcon", "python/starlette"]
    reason = "[Errno 11] Resource temporarily unavailable"
    assert {cell.not_run for result in outcome_.results for cell in result.cells} == {reason}


def limited(monkeypatch: pytest.MonkeyPatch, soft: int, hard: int) -> list[tuple[int, int]]:
    """Gives this process these limits. Returns those that it sets."""
    limits_set: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _kind: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _kind, both: limits_set.append(both))
    return limits_set


@pytest.mark.parametrize(
    ("soft", "hard", "becomes"),
    [
        (1024, 1_048_576, [(4096, 1_048_576)]),
        (1024, 4096, [(4096, 4096)]),
        (256, 1024, [(1024, 1024)]),
        (20_000, 20_000, [(4096, 20_000)]),
        (1024, resource.RLIM_INFINITY, [(4096, resource.RLIM_INFINITY)]),
        (4096, 8192, []),
        (64, 64, []),
    ],
)
def test_processes_may_have_as_many_files_open_on_all_machines_that_allow_it(
    soft: int, hard: int, becomes: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = limited(monkeypatch, soft, hard)
    set_open_files()
    assert found == becomes


def test_containers_of_apps_have_the_same_limit_whatever_the_engine_s_is(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for hard, expected in ((1_048_576, OPEN_FILES), (1024, 1024)):
        limited(monkeypatch, hard, hard)
        target = DockerTarget(catalog.entries["python/falcon"], Settings(cpus=(0,)), tmp_path)
        assert f"--ulimit=nofile={expected}" in target._options()


def test_all_loads_of_the_catalogue_fit_into_the_limit(catalog: Catalog) -> None:
    most = max(scenario.connections or 0 for suite in catalog.suites.values() for scenario in suite.scenarios)
    assert open_files_for(Load(1, most, 1, None)) <= OPEN_FILES
    assert open_files_for(Load(1, QUICK.connections, 1, None)) <= limits.FEWEST_OPEN_FILES


def test_cells_that_need_more_files_than_the_machine_allows_are_not_run_and_the_others_are(
    catalog: Catalog, journal: Journal
) -> None:
    plan = plan_of(catalog, World(open_files=400), patterns="python/falcon", suites=["issue-tracker"], reference=None)
    outcome_, _ = run(without_repeats(plan), journal)
    assert (outcome_.failures, outcome_.missed) == ([], [])
    cells = {(cell.scenario, cell.not_run) for result in outcome_.results for cell in result.cells}
    reason = (
        "this machine allows 400 open files, and a load of 512 connections needs 546: raise the hard limit as root "
        "with: ulimit -n 4096, in Docker with --ulimit nofile=4096"
    )
    assert cells == {("userinfo", reason), ("sprint", None), ("create-task", reason), ("update-task", reason)}


def test_two_versions_are_compared_in_the_cells_that_the_machine_allows(
    catalog: Catalog, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(series, "SECONDS", 1.0)
    world = World(open_files=400)
    plan = without_repeats(plan_of(catalog, world, suites=["issue-tracker"], reference=None))
    head = catalog.entries["python/falcon"]
    base = base_of(head, catalog, catalog)
    assert base
    with series.series_of(head, base, plan, journal, lambda _event: None) as measured:
        assert isinstance(measured, Series)
        measured.run_first()
    assert {key.scenario for key in measured.ratios} == {"sprint"}
    assert {why.partition(":")[0] for why in measured.lost.values()} == {
        "this machine allows 400 open files, and a load of 512 connections needs 546"
    }
