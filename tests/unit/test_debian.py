"""What Debian's commands say about this machine, read as they print it."""

import os
import subprocess
import time
from pathlib import Path

import pytest

from restbench.system import debian
from restbench.system.debian import Installation
from tests.made.programs import a_program

DPKG_QUERY = """\
ii  wrk 4.1.0-3+b2
rc  nginx-light 1.22.1-9
ii  libasio-dev 1:1.22.1-1
"""


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH with nothing on it yet but sh and what it needs; what was read before is forgotten."""
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    debian.forget()
    return tmp_path


def test_a_machine_without_dpkg_has_no_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    debian.forget()
    assert debian.installed() == {}
    assert "No such file" in (debian.install([], ["wrk"]) or "")


def test_what_apt_get_says_is_wrong_is_reported_in_its_own_words(commands: Path) -> None:
    a_program(commands / "apt-get", "echo 'W: a warning' >&2; echo 'E: Unable to locate package wrk' >&2; exit 100")
    assert debian.install([], ["wrk"]) == "E: Unable to locate package wrk"


def test_an_installation_is_asked_for_without_questions(commands: Path) -> None:
    a_program(commands / "apt-get", f'echo "$DEBIAN_FRONTEND $*" > {commands}/asked')
    assert debian.install([], ["wrk", "libasio-dev=1:1.22.1-1"]) is None
    asked = (commands / "asked").read_text().split()
    assert asked[:2] == ["noninteractive", "install"]
    assert {"--yes", "--no-install-recommends"} <= set(asked)
    assert asked[-2:] == ["wrk", "libasio-dev=1:1.22.1-1"]
    assert "--simulate" not in asked


SIMULATED = """\
Inst libc6 [2.36-9] (2.36-9+deb12u9 Debian:12.9/stable [amd64])
Inst wrk (4.1.0-3+b2 Debian:12.9/stable [amd64])
Conf libc6 (2.36-9+deb12u9 Debian:12.9/stable [amd64])
"""
SHOWN = """\
Package: libc6
Installed-Size: 12000
Size: 2700000

Package: wrk
Installed-Size: 500
Size: 300000
"""


def test_what_would_be_installed_is_asked_for_before_with_its_size(commands: Path) -> None:
    a_program(commands / "apt-get", f"case $* in *--simulate*) cat <<'.'\n{SIMULATED}.\n;; *) exit 1;; esac")
    a_program(commands / "apt-cache", f"echo $* >{commands}/asked; cat <<'.'\n{SHOWN}.")
    assert debian.planned(["wrk"]) == Installation(packages=2, download=3_000_000, disk=12_500 * 1024)
    assert (commands / "asked").read_text() == "show libc6=2.36-9+deb12u9 wrk=4.1.0-3+b2\n"


def test_what_apt_get_would_not_install_is_said_in_its_own_words(commands: Path) -> None:
    a_program(commands / "apt-get", "echo 'E: Unable to locate package wrk' >&2; exit 100")
    assert debian.planned(["wrk"]) == "E: Unable to locate package wrk"


def test_of_many_errors_the_first_is_said(commands: Path) -> None:
    a_program(commands / "apt-get", "printf 'E: Failed to fetch %s\\n' a b c >&2; exit 100")
    assert debian.install([], ["wrk"]) == "E: Failed to fetch a (and 2 more)"


def test_what_an_interrupted_dpkg_left_is_finished_first(commands: Path, caplog: pytest.LogCaptureFixture) -> None:
    error = "E: dpkg was interrupted, you must manually run 'dpkg --configure -a' to correct the problem."
    a_program(commands / "apt-get", f'[ -e {commands}/configured ] || {{ echo "{error}" >&2; exit 100; }}')
    a_program(commands / "dpkg", f'[ "$*" = "--configure -a" ] && touch {commands}/configured')
    assert debian.install([], ["wrk"]) is None
    assert caplog.messages == ["dpkg was interrupted earlier, and finishes that first: dpkg --configure -a"]


def test_ctrl_c_reaches_apt_get_as_a_request_and_waits_until_it_has_stopped(
    commands: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As dpkg would be ended in the middle of a package by a signal of its own."""
    a_program(
        commands / "apt-get",
        f"trap 'touch {commands}/stopped; exit' INT; touch {commands}/begun; while :; do sleep 0.05; done",
    )

    def interrupted(*_: object, **__: object) -> None:
        while not (commands / "begun").exists():
            time.sleep(0.01)
        monkeypatch.undo()
        raise KeyboardInterrupt

    monkeypatch.setenv("PATH", f"{commands}:{os.environ['PATH']}")
    monkeypatch.setattr(subprocess.Popen, "communicate", interrupted)
    with pytest.raises(KeyboardInterrupt):
        debian.install([], ["wrk"])
    assert (commands / "stopped").exists()


def test_whole_packages_count_and_after_an_installation_the_machine_is_looked_at_anew(commands: Path) -> None:
    a_program(commands / "dpkg-query", "true")
    assert debian.installed() == {}
    a_program(commands / "apt-get", "true")
    a_program(commands / "dpkg-query", f"cat <<'.'\n{DPKG_QUERY}.")
    debian.install([], ["wrk"])
    assert debian.installed() == {"wrk": "4.1.0-3+b2", "libasio-dev": "1:1.22.1-1"}


@pytest.mark.parametrize(("sudo", "root"), [("exit 0", ["sudo"]), ("exit 1", None), (None, None)])
def test_who_may_not_become_root_without_a_password_may_not_install(
    commands: Path, monkeypatch: pytest.MonkeyPatch, sudo: str | None, root: list[str] | None
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    monkeypatch.setenv("PATH", str(commands))
    if sudo:
        a_program(commands / "sudo", sudo)
    assert debian.administrator() == root


def test_root_needs_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0)
    assert debian.administrator() == []
