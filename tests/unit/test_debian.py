"""What Debian's commands say about this machine, read as they print it."""

from pathlib import Path

import pytest

from restbench.system import debian
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
    debian.install([], ["wrk"], simulate=True)
    assert "--simulate" in (commands / "asked").read_text()


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
