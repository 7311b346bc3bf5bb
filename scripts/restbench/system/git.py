"""Runs git. It prints bytes, because paths in a repository and what a server says need not be UTF-8."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from restbench.errors import UsageError


def git(root: Path, *arguments: str, env: Mapping[str, str] | None = None) -> str:
    """What git prints in a checkout, without the spaces around it.

    Raises UsageError with the reason that git gives, and with all that it says as detail.
    """
    return os.fsdecode(_printed(root, arguments, env)).strip()


def git_paths(root: Path, *arguments: str) -> list[str]:
    """The paths that git prints, each with a zero byte at its end, as Python names files. Raises as `git` does."""
    return [os.fsdecode(path) for path in _printed(root, arguments, None).split(b"\0") if path]


def git_succeeds(root: Path, *arguments: str, env: Mapping[str, str] | None = None) -> bool:
    """Whether git exits with code 0. This is for questions that git answers with its exit code."""
    try:
        _printed(root, arguments, env)
    except UsageError:
        return False
    return True


def _printed(root: Path, arguments: tuple[str, ...], env: Mapping[str, str] | None) -> bytes:
    argv = ["git", "--no-optional-locks", "-C", str(root), *arguments]
    try:
        ran = subprocess.run(argv, env=env, capture_output=True, check=False)
    except OSError as error:
        raise UsageError(f"git {arguments[0]} failed: git: {error.strerror}") from error
    if ran.returncode != 0:
        said = ran.stderr.decode(errors="replace").strip()
        raise UsageError(f"git {arguments[0]} failed: {_reason(said.splitlines())}", said)
    return ran.stdout


def _reason(said: list[str]) -> str:
    """The last line that says what failed. Before it may stand progress, and after it advice."""
    failed = [line for line in said if line.startswith(("fatal:", "error:"))]
    return failed[-1] if failed else next(iter(said), "it said nothing")
