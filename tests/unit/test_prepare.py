"""What is installed for a run: what its entries and suites need and the machine lacks, and nothing else."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from restbench.backends import jars
from restbench.commands import prepare as command
from restbench.commands.prepare import prepare
from restbench.system import debian
from restbench.targets import interpreters, toolchains
from restbench.targets.interpreters import Interpreter
from restbench.targets.toolchains import Lack

SOLR = ["default-jre-headless", "varnish", "maven", "default-jdk-headless"]
CPP = {"g++", "cmake", "ninja-build", "pkg-config"}


@dataclass
class Machine:
    """One whose apt-get brings everything but what is `gone`, and that has the commands of what it installed."""

    root: list[str] | None = field(default_factory=lambda: ["sudo"])
    gone: set[str] = field(default_factory=set)
    installed: list[str] = field(default_factory=list)
    updates: int = 0

    def update(self, root: list[str]) -> None:
        self.updates += 1

    def install(self, root: list[str], packages: list[str]) -> str | None:
        self.installed += packages
        return None


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    """A bookworm that has nothing yet: no command of any entry, and no Debian package."""
    made = Machine()
    monkeypatch.setattr(debian, "codename", lambda: "bookworm")
    monkeypatch.setattr(debian, "installed", dict)
    monkeypatch.setattr(debian, "versions", lambda name: [] if name in made.gone else ["99.0"])
    monkeypatch.setattr(debian, "is_offered", lambda package: debian.name_of(package) not in made.gone)
    monkeypatch.setattr(debian, "lists_are_here", lambda: True)
    monkeypatch.setattr(debian, "administrator", lambda: made.root)
    monkeypatch.setattr(debian, "update", made.update)
    monkeypatch.setattr(debian, "install", made.install)
    monkeypatch.setattr(toolchains, "find_program", lambda _name: None)
    python = Interpreter(Path("/usr/bin/python3.11"), Version("3.11.2"), optimised=True)
    monkeypatch.setattr(interpreters, "found", lambda: [python])
    monkeypatch.setattr(jars, "are_packed", lambda _repository: False)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(command, "docker_unavailable_reason", lambda: "there is no docker command")
    monkeypatch.setattr(command, "_bring_pythons", lambda _needs, _install: None)
    yield made


def test_three_python_entries_need_the_load_generator_the_reference_and_nothing_else(machine: Machine) -> None:
    prepare([], ["hello", "issue-tracker", "workload"], "auto")
    assert machine.installed == ["wrk", "nginx-light"]


def test_solr_is_brought_for_the_suite_alone_and_only_where_an_entry_takes_part(machine: Machine) -> None:
    prepare(["python/fastapi"], ["solr"], "auto")
    assert machine.installed == ["wrk", "nginx-light", *SOLR]
    machine.installed.clear()
    prepare(["python/bottle"], [], "auto")
    assert machine.installed == ["wrk", "nginx-light"]


def test_an_entrys_own_commands_and_its_languages_are_brought_for_it_alone(machine: Machine) -> None:
    prepare(["python/squall"], ["hello"], "native")
    squall = {"nasm", "autoconf", "automake", "libtool", "make", "gcc", "libc6-dev", "cargo-web"}
    assert set(machine.installed) - {"wrk", "nginx-light"} == squall
    machine.installed.clear()
    prepare(["typescript/*"], ["hello"], "native")
    assert set(machine.installed) - {"wrk", "nginx-light"} == {"npm"}


def test_a_baseline_is_brought_for_the_entries_that_are_measured_against_it(machine: Machine) -> None:
    prepare(["cpp/pistache"], ["hello"], "native")
    assert {"libpistache-dev", "librestinio-dev"} <= {package.partition("=")[0] for package in machine.installed}


def test_a_package_that_is_locked_is_named_once_with_its_version(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    lacks = [Lack("perl is missing", ("perl",)), Lack("perl is missing", ("perl=5.40",)), Lack("mojo", ("mojo",))]
    monkeypatch.setattr(command, "lacks_of", lambda entry: lacks if entry.id == "rust/axum" else [])
    prepare(["rust/axum"], ["hello"], "native")
    assert machine.installed == ["wrk", "perl=5.40", "mojo"]


def test_in_docker_only_load_needs_something(machine: Machine) -> None:
    prepare(["all"], [], "docker")
    assert machine.installed == ["wrk"]


def test_delayed_links_are_roots(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare([], ["workload"], "docker")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    prepare([], ["hello"], "docker")
    assert "iproute2" not in machine.installed
    prepare([], ["workload"], "docker")
    assert "iproute2" in machine.installed


def test_what_is_installed_is_said_before_with_who_needs_it(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before: list[str] = []

    def install(root: list[str], packages: list[str]) -> None:
        before.append(capsys.readouterr().err)

    monkeypatch.setattr(debian, "install", install)
    prepare(["rust/axum", "rust/rocket"], ["hello"], "native")
    assert before == [
        (
            "installing Debian packages:\n  wrk  for all load\n  nginx-light  for reference/nginx\n"
            "  cargo-web  for rust/axum, rust/rocket\n"
        )
    ]


def test_who_may_not_install_is_told_the_command_once(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    machine.root = None
    prepare(["python/falcon"], ["hello"], "auto")
    assert machine.installed == []
    said = capsys.readouterr().err
    assert said.count("apt-get install wrk nginx-light") == 1
    assert "installing them takes root" in said


def test_nothing_is_installed_where_that_is_refused(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    prepare(["python/falcon"], ["hello"], "auto", install=False)
    assert (machine.installed, machine.updates) == ([], 0)
    assert capsys.readouterr().err.splitlines() == [
        "missing Debian packages, which --no-install does not install:",
        "  wrk  for all load",
        "  nginx-light  for reference/nginx",
        "install them with: apt-get install wrk nginx-light",
    ]


def test_no_python_is_brought_where_that_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    lack = Lack("no Python", python=SpecifierSet("==3.11.*"))
    command._bring_pythons([command.Need("python/squall", [lack])], install=False)
    assert capsys.readouterr().err == (
        "missing: Python ==3.11.* for python/squall: install it with: uv python install '==3.11.*'\n"
    )


def test_without_apt_get_what_is_missing_is_named(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    prepare(["python/falcon"], ["hello"], "auto")
    said = capsys.readouterr().err
    assert "this machine has no apt-get" in said
    assert "  nginx-light  for reference/nginx" in said
    assert "install it with" not in said


def test_nothing_is_installed_for_an_entry_that_cannot_be_had(machine: Machine) -> None:
    """Packages of it and of its baseline are of another version now, so its compilers would help nobody."""
    machine.gone = {"libcpprest-dev", "librestinio-dev"}
    prepare(["cpp/cpprestsdk"], ["hello"], "native")
    assert machine.installed == ["wrk", "nginx-light"]
    machine.installed.clear()
    prepare(["cpp/*"], ["hello"], "native")
    assert set(machine.installed) >= CPP
    assert not any(package.startswith("libcpprest-dev") for package in machine.installed)


def test_apt_get_is_told_to_look_only_for_what_it_does_not_know(machine: Machine) -> None:
    prepare([], ["hello"], "auto")
    assert machine.updates == 0
    machine.gone = {"wrk"}
    prepare([], ["hello"], "auto")
    assert machine.updates == 1


def test_an_installation_that_fails_is_tried_with_fresh_lists_and_said(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(debian, "install", lambda _root, _packages: "E: 404 Not Found")
    prepare([], ["hello"], "auto")
    assert machine.updates == 1
    said = capsys.readouterr().err
    assert "apt-get failed: E: 404 Not Found" in said
    assert "try it with: apt-get update && apt-get install wrk nginx-light" in said


def test_where_docker_has_to_do_nothing_is_installed_for_native_runs(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same choice as --target auto makes: one entry that cannot be had natively takes all to Docker."""
    monkeypatch.setattr(command, "docker_unavailable_reason", lambda: None)
    monkeypatch.setattr(debian, "codename", lambda: "forky")
    prepare(["cpp/restinio", "typescript/*"], ["hello"], "auto")
    assert machine.installed == ["wrk"]


@pytest.mark.parametrize(
    ("uv", "said"),
    [
        ("exit 0", ""),
        ("exit 2", "  uv failed: code 2\n"),
        ("echo 'error: Failed to install\n  cause: dns error' >&2; exit 1", "  uv failed: dns error\n"),
    ],
)
def test_pythons_are_brought_by_uv_and_what_it_cannot_is_said(
    uv: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "uv"
    program.write_text(f"#!/bin/sh\necho $* > {tmp_path}/asked\n{uv}\n")
    program.chmod(0o755)
    monkeypatch.setattr(command, "find_uv_bin", lambda: str(program))
    lack = Lack("no Python", python=SpecifierSet("==3.11.*"))
    command._bring_pythons([command.Need("python/squall", [lack]), command.Need("python/falcon", [])], install=True)
    assert capsys.readouterr().err == f"installing Python ==3.11.* with uv, for python/squall\n{said}"
    assert (tmp_path / "asked").read_text() == "python install ==3.11.*\n"
