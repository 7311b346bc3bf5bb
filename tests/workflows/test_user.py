"""The user that workflows run as is not root, and becomes root where `sudo` is allowed alone."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.workflows.user import Sudo, User, make_user

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user: run the tests as root")


@pytest.fixture
def user() -> Iterator[User]:
    with TemporaryDirectory(prefix="restbench-user-") as folder:
        made = make_user(Path(folder))
        made.own(Path(folder))
        yield made


def ran(user: User, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, env=user.environment(), capture_output=True, text=True, check=False, cwd=user.home, **user.identity
    )


def test_it_is_not_root_and_has_a_home_of_its_own(user: User) -> None:
    assert ran(user, "id", "--user", "--name").stdout.strip() == "nobody"
    assert ran(user, "touch", str(user.home / "mine")).returncode == 0
    assert (user.home / "mine").stat().st_uid == user.identity["user"]


def test_its_environment_has_nothing_of_the_tests(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PYTHONPATH", "VIRTUAL_ENV", "XDG_RUNTIME_DIR"):
        monkeypatch.setenv(name, "/anywhere")
    monkeypatch.setenv("UV_CACHE_DIR", str(Path.home() / "cache"))
    monkeypatch.setenv("PIP_CERT", "/etc/ssl/certs/ca-certificates.crt")
    environment = user.environment()
    assert not {"PYTHONPATH", "VIRTUAL_ENV", "XDG_RUNTIME_DIR", "UV_CACHE_DIR"} & set(environment)
    assert environment["PIP_CERT"] == "/etc/ssl/certs/ca-certificates.crt"
    assert environment["HOME"] == str(user.home)
    assert not any(Path(folder).is_relative_to(Path.home()) for folder in environment["PATH"].split(os.pathsep))


def test_sudo_refuses(user: User) -> None:
    with user.using(Sudo.REFUSED):
        said = ran(user, "sudo", "-n", "true")
    assert (said.returncode, said.stderr) == (1, "sudo: a password is required\n")


def test_sudo_allows_and_is_gone_afterwards(user: User) -> None:
    with user.using(Sudo.ALLOWED):
        assert ran(user, "sudo", "-n", "--", "id", "--user").stdout == "0\n"
        assert ran(user, "sudo", "-n", "sh", "-c", "exit 7").returncode == 7
        assert (user.programs / "sudo").stat().st_mode & 0o7777 == 0o4750
    assert not (user.programs / "sudo").exists()
