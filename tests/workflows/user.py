"""The user that workflows run as. Hosted runners have one that is not root, and in the group of Docker's socket.

Where the tests run as root, the workflows run as `nobody`. Else they run as the user of the tests.
"""

import os
import pwd
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

from tests.needs import lacking, tool_path

DOCKER_SOCKET = Path("/var/run/docker.sock")
_SUDO = Path(__file__).with_name("sudo.c")

_REFUSING = """#!/bin/sh
echo "sudo: a password is required" >&2
exit 1
"""

_OF_THE_TESTS = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
"""Variables that choose the tests' Python. Workflows make a Python environment of their own."""

_OF_ANOTHER_USER = ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR")
"""Variables with folders that belong to the user of the tests, wherever they are."""

_OF_A_JOB = ("ACTIONS_", "GITHUB_", "RUNNER_")
"""How variables begin that belong to the job in which the tests run. act would upload to the artifacts of that job."""


class Sudo(Enum):
    """What `sudo` does for the user: hosted runners allow everything without a password, other machines nothing."""

    REFUSED = "refused"
    ALLOWED = "allowed"


@dataclass(frozen=True)
class User:
    """A user. `identity` are arguments of subprocess.run that change to it: none, where the tests run as this user.

    `programs` is the first folder on the user's PATH.
    """

    home: Path
    programs: Path
    identity: dict[str, Any]

    def own(self, folder: Path) -> None:
        """Makes the user the owner of everything in the folder, which others may have written to meanwhile."""
        if self.identity:
            owner = f"{self.identity['user']}:{self.identity['group']}"
            subprocess.run(["chown", "--no-dereference", "--recursive", owner, str(folder)], check=True)

    def environment(self) -> dict[str, str]:
        """The environment of the tests, as this user would have it."""
        env = {name: value for name, value in os.environ.items() if name not in _OF_THE_TESTS}
        env = {name: value for name, value in env.items() if not name.startswith(_OF_A_JOB)}
        folders = [folder for folder in tool_path().split(os.pathsep) if not _is_in_environment_of_tests(folder)]
        if self.identity:
            name = pwd.getpwuid(self.identity["user"]).pw_name
            env = {key: value for key, value in env.items() if key not in _OF_ANOTHER_USER and not _is_private(value)}
            env |= {"HOME": str(self.home), "USER": name, "LOGNAME": name}
            env |= {"MAVEN_OPTS": f"-Duser.home={self.home}"}  # Java asks the list of users for it
            folders = [folder for folder in folders if not _is_private(folder)]
        return {**env, "PATH": os.pathsep.join([str(self.programs), *folders])}

    @contextmanager
    def using(self, sudo: Sudo) -> Iterator[None]:
        """Sets what `sudo` does for the user until the context ends.

        Skips the test where sudo shall be allowed, and this machine cannot make a program that does so.
        """
        program = self.programs / "sudo"
        try:
            if sudo is Sudo.REFUSED:
                program.write_text(_REFUSING)
                program.chmod(0o755)
            elif self.identity:
                self._make_sudo(program)
            # else the machine's own sudo decides
            yield
        finally:
            program.unlink(missing_ok=True)  # no program that makes anybody root stays there

    def _make_sudo(self, program: Path) -> None:
        if reason := lacking("cc"):  # it compiles a sudo for the workflows
            pytest.skip(reason)
        subprocess.run(["cc", "-O", "-o", str(program), str(_SUDO)], check=True)
        os.chown(program, 0, self.identity["group"])
        program.chmod(0o4750)
        command = [str(program), "-n", "id", "--user"]
        tried = subprocess.run(command, capture_output=True, text=True, check=False, **self.identity)
        if tried.stdout.strip() != "0":
            pytest.skip(f"no program in {program.parent} can become root (nosuid): set TMPDIR to one where it can")


def make_user(folder: Path) -> User:
    """Makes the user. What it has is in the folder, also programs that only the user of the tests can reach."""
    programs, home = folder / "bin", folder / "home"
    programs.mkdir()
    if os.geteuid() != 0:
        return User(Path.home(), programs, {})
    home.mkdir()
    folder.chmod(0o755)
    for program in ("act", "oha", "wrk"):
        if (found := shutil.which(program, path=tool_path())) and _is_private(found):
            shutil.copy2(found, programs / program)
    plugins = Path(".docker/cli-plugins")  # of Docker's client, such as buildx
    if (Path.home() / plugins).is_dir():
        shutil.copytree(Path.home() / plugins, home / plugins)
    nobody = pwd.getpwnam("nobody")
    groups = [DOCKER_SOCKET.stat().st_gid] if DOCKER_SOCKET.exists() else []
    return User(home, programs, {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": groups})


def _is_private(path: str) -> bool:
    """Whether this is a path in the home of the tests' user, which others may not enter."""
    return Path(path).is_relative_to(Path.home())


def _is_in_environment_of_tests(folder: str) -> bool:
    return sys.prefix != sys.base_prefix and Path(folder).is_relative_to(sys.prefix)
