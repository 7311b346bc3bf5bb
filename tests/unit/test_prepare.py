"""What is installed for a run: what its entries and suites need and the machine lacks, and nothing else."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import pytest
from packaging.version import Version

from restbench.backends import native
from restbench.cli import run
from restbench.commands import prepare as command
from restbench.commands.prepare import prepare
from restbench.loadgen.oha import Oha
from restbench.system import debian
from restbench.system.debian import Installation
from restbench.system.repository import find_repository
from restbench.targets import interpreters, toolchains
from restbench.targets.interpreters import Interpreter
from restbench.targets.toolchains import PYTHON, Tool
from tests.made.programs import a_program

NATIVE = {"wrk", "nginx-light"}
SOLR = {"default-jre-headless", "varnish", "maven", "default-jdk-headless"}
SQUALL = {"nasm", "autoconf", "automake", "libtool", "make", "gcc", "libc6-dev", "cargo-web"}
SIZES = {"default-jre-headless": 50, "default-jdk-headless": 80}
"""Package → MB. Others have one."""
CPP = {"g++", "cmake", "ninja-build", "pkg-config"}


@dataclass
class Machine:
    """One whose apt-get brings everything but what is `gone`, and that has the commands of what it installed."""

    root: list[str] | None = field(default_factory=lambda: ["sudo"])
    gone: set[str] = field(default_factory=set)
    installed: list[str] = field(default_factory=list)
    updates: int = 0
    free: int = 10**12

    def update(self, root: list[str]) -> None:
        self.updates += 1

    def planned(self, packages: list[str]) -> Installation | str:
        """As apt-get does, all packages or none. Each is as large as SIZES says."""
        if missing := self.gone & {package.partition("=")[0] for package in packages}:
            return f"E: Unable to locate package {min(missing)}"
        megabytes = sum(SIZES.get(package, 1) for package in packages)
        return Installation(2 * len(packages), download=megabytes * 10**6, disk=3 * megabytes * 10**6)

    def install(self, root: list[str], packages: list[str]) -> str | None:
        plan = self.planned(packages)
        if isinstance(plan, str):
            return plan
        self.installed += packages
        return None


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    """A bookworm that has nothing yet: no command of any entry, and no Debian package."""
    made = Machine()
    monkeypatch.setattr(debian, "codename", lambda: "bookworm")
    monkeypatch.setattr(debian, "installed", dict)
    monkeypatch.setattr(debian, "administrator", lambda: made.root)
    monkeypatch.setattr(debian, "update", made.update)
    monkeypatch.setattr(debian, "planned", made.planned)
    monkeypatch.setattr(debian, "install", made.install)
    monkeypatch.setattr(toolchains, "find_program", lambda _name: None)
    python = Interpreter(Path("/usr/bin/python3.11"), Version("3.11.2"), optimised=True)
    monkeypatch.setattr(interpreters, "found", lambda: [python])
    monkeypatch.setattr(native, "_jars", lambda _repository: Path("/nowhere"))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(command, "docker_unavailable_reason", lambda: "there is no docker command")
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: SimpleNamespace(free=made.free))
    monkeypatch.setattr(command, "_bring_pythons", lambda *_: None)
    monkeypatch.setattr(Oha, "unavailable_reason", lambda _oha: None)
    yield made


@pytest.mark.parametrize(
    ("frameworks", "suites", "target", "brought"),
    [
        ([], ["hello", "issue-tracker", "workload"], "auto", NATIVE),
        (["python/fastapi"], ["solr"], "auto", NATIVE | SOLR),
        (["python/bottle"], [], "auto", NATIVE),  # it takes no part in the suite solr
        (["python/squall"], ["hello"], "native", NATIVE | SQUALL),
        (["typescript/*"], ["hello"], "native", NATIVE | {"npm"}),
        (["all"], [], "docker", {"wrk"}),
        ([], ["workload"], "docker", {"wrk"}),  # only root may delay links
    ],
)
def test_what_entries_and_suites_need_is_brought_and_nothing_else(
    frameworks: list[str], suites: list[str], target: str, brought: set[str], machine: Machine
) -> None:
    prepare(frameworks, suites, target)
    assert set(machine.installed) == brought


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--profile", "fast"], "no profile is called fast; known: "),
        (["pyton"], "no framework is called pyton; did you mean python?"),
        (["--suite", "helo"], "no suite is called helo; did you mean hello?"),
        (["--target", "podman"], "no target is called podman; known: "),
        (["python/bottle", "--suite", "solr"], "none of python/bottle takes part in solr"),
    ],
)
def test_what_a_run_would_refuse_is_refused_before_anything_is_brought(
    words: list[str], said: str, machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["prepare", *words]) == 2
    assert capsys.readouterr().err.startswith(said)
    assert machine.installed == []


def test_a_baseline_is_brought_for_the_entries_that_are_measured_against_it(machine: Machine) -> None:
    prepare(["cpp/pistache"], ["hello"], "native")
    assert {"libpistache-dev", "librestinio-dev"} <= {package.partition("=")[0] for package in machine.installed}


def test_a_package_that_is_locked_is_named_once_with_its_version(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    lacks = [Tool(package, None, package, (package,)) for package in ("perl", "perl=5.40", "mojo")]
    monkeypatch.setattr(command, "lacks_of", lambda entry: lacks if entry.id == "rust/axum" else [])
    prepare(["rust/axum"], ["hello"], "native")
    assert machine.installed == ["wrk", "perl=5.40", "mojo"]


def test_delayed_links_are_roots(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    prepare([], ["hello"], "docker")
    assert "iproute2" not in machine.installed
    prepare([], ["workload"], "docker")
    assert "iproute2" in machine.installed


def test_what_is_installed_is_named_before_with_who_needs_it(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before: list[str] = []

    def install(_root: list[str], _packages: list[str]) -> None:
        before.append(capsys.readouterr().err)

    monkeypatch.setattr(debian, "install", install)
    prepare(["rust/axum", "rust/rocket"], ["hello"], "native")
    assert before == [
        (
            "installing Debian packages:\n  wrk  for all load\n  nginx-light  for reference/nginx\n"
            "  cargo-web  for rust/axum, rust/rocket\n"
            "  6 packages with what they need: 3 MB to download and 9 MB on the disk, about a minute\n"
        )
    ]


def test_the_suite_that_most_is_installed_for_is_named_with_how_to_do_without(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    prepare(["python/fastapi"], [], "native")
    said = capsys.readouterr().err
    assert "  12 packages with what they need: 134 MB to download and 402 MB on the disk, about 2 minutes\n" in said
    assert "  Solr itself is fetched when it first starts: about 110 MB more\n" in said
    assert (
        '  most of it is for the suite solr: with SUITES="hello issue-tracker workload" it is '
        "2 MB to download and 6 MB on the disk\n"
    ) in said
    prepare(["python/fastapi"], ["solr"], "native")
    assert "most of it" not in capsys.readouterr().err


def test_a_disk_without_room_is_said_before(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    machine.free = 10**6
    prepare([], ["hello"], "native")
    assert "  /usr has 1 MB free, which may be too few: make room\n" in capsys.readouterr().err


def test_sizes_that_apt_get_does_not_tell_are_not_made_up(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(debian, "planned", lambda _packages: Installation(packages=3))
    prepare([], ["hello"], "native")
    assert "  how large they are is not known: apt-get's lists do not tell it yet\n" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("root", "install", "apt_get", "first"),
    [
        (None, True, "apt-get", "missing Debian packages:"),
        (["sudo"], False, "apt-get", "missing Debian packages:"),
        (["sudo"], True, None, "this machine has no apt-get; the names of the missing packages in Debian:"),
    ],
)
def test_where_nothing_may_be_installed_the_command_is_shown_once(
    root: list[str] | None,
    *,
    install: bool,
    apt_get: str | None,
    first: str,
    machine: Machine,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    machine.root = root
    monkeypatch.setattr(shutil, "which", lambda _name: apt_get)
    prepare(["python/falcon"], ["hello"], "auto", install=install)
    assert (machine.installed, machine.updates) == ([], 0)
    lines = [first, "  wrk  for all load", "  nginx-light  for reference/nginx"]
    if apt_get:
        lines += ["  4 packages with what they need: 2 MB to download and 6 MB on the disk, about a minute"]
        lines += ["install them as root with: apt-get install wrk nginx-light"]
    assert capsys.readouterr().err.splitlines() == lines


def test_nothing_is_installed_for_an_entry_that_cannot_be_had(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    """Packages of it and of its baseline are not to be had now, so its compilers would help nobody."""
    machine.gone = {"libcpprest-dev", "librestinio-dev"}
    prepare(["cpp/cpprestsdk"], ["hello"], "native")
    assert machine.installed == ["wrk", "nginx-light"]
    assert "  left out: E: Unable to locate package libcpprest-dev\n" in capsys.readouterr().err
    machine.installed.clear()
    prepare(["cpp/*"], ["hello"], "native")
    assert set(machine.installed) >= CPP
    assert not any(package.startswith("libcpprest-dev") for package in machine.installed)


def test_apt_get_looks_for_news_only_where_it_does_not_know_a_package(machine: Machine) -> None:
    prepare([], ["hello"], "auto")
    assert machine.updates == 0
    machine.gone = {"wrk"}
    prepare([], ["hello"], "auto")
    assert machine.updates == 1


def test_an_installation_that_fails_is_tried_with_fresh_lists_and_reported(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a network apt-get fails only where it fetches packages."""
    monkeypatch.setattr(debian, "install", lambda *_: "E: 404 Not Found")
    prepare([], ["hello"], "auto")
    assert machine.updates == 1
    output = capsys.readouterr().err
    assert "apt-get failed: E: 404 Not Found" in output
    assert "try it with: apt-get update && apt-get install wrk nginx-light" in output


def test_where_docker_has_to_do_nothing_is_installed_for_native_runs(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same choice as --target auto makes: one entry that cannot be had natively takes all to Docker."""
    monkeypatch.setattr(command, "docker_unavailable_reason", lambda: None)
    monkeypatch.setattr(command, "elsewhere_reason", lambda: None)
    monkeypatch.setattr(debian, "codename", lambda: "forky")
    prepare(["cpp/restinio", "typescript/*"], ["hello"], "auto")
    assert machine.installed == ["wrk"]


@pytest.mark.parametrize(
    ("missing", "install", "asked"), [(True, True, True), (True, False, False), (False, True, False)]
)
def test_a_pinned_oha_is_fetched_and_none_is_built(
    missing: bool, install: bool, asked: bool, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[list[str]] = []
    monkeypatch.setattr(Oha, "unavailable_reason", lambda _oha: "oha is missing" if missing else None)
    monkeypatch.setattr(subprocess, "run", lambda argv, **_: ran.append(argv))
    prepare([], ["hello"], "docker", install)
    script = str(find_repository().root / "scripts/install-oha")
    assert ran == ([[sys.executable, script, "--no-build"]] if asked else [])


BRINGS = "installing Python ==3.11.* with uv, for python/squall\n"


@pytest.mark.parametrize(
    ("uv", "install", "message"),
    [
        ("exit 0", True, BRINGS),
        ("exit 2", True, f"{BRINGS}  uv failed: code 2\n"),
        ("echo 'error: Failed to install\n  cause: dns error' >&2; exit 1", True, f"{BRINGS}  uv failed: dns error\n"),
        (
            "exit 0",
            False,
            "missing: Python ==3.11.* for python/squall: install it with: uv python install '==3.11.*'\n",
        ),
    ],
)
def test_pythons_are_brought_by_uv_and_what_it_cannot_is_named(
    uv: str,
    *,
    install: bool,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    program = a_program(tmp_path / "uv", f"echo $* > {tmp_path}/asked\n{uv}")
    monkeypatch.setattr(command, "find_uv_bin", lambda: str(program))
    python = Tool(PYTHON, None, "Python ==3.11.*", otherwise="install it with: uv python install '==3.11.*'")
    needs = {"python/squall": [python], "python/falcon": [Tool("cc", None, "cc")]}
    command._bring_pythons(needs, install)
    assert capsys.readouterr().err == message
    asked = tmp_path / "asked"
    assert (asked.read_text() if asked.exists() else "") == ("python install ==3.11.*\n" if install else "")
