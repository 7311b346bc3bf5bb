"""Runs git. It prints bytes, because paths in a repository and what a server says need not be UTF-8."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from restbench.errors import ResultsError


def git(root: Path, *arguments: str, env: Mapping[str, str] | None = None) -> str:
    """What git prints in a checkout, without the last newline. Bytes that are not UTF-8 are as in Python's paths.

    Raises ResultsError with the reason that git gives, and with all that it says as detail.
    """
    argv = ["git", "--no-optional-locks", "-C", str(root), *arguments]
    try:
        ran = subprocess.run(argv, env=env, capture_output=True, check=False)
    except OSError as error:
        raise ResultsError(f"git {arguments[0]} failed: git: {error.strerror}") from error
    if ran.returncode != 0:
        said = ran.stderr.decode(errors="replace").strip()
        raise ResultsError(f"git {arguments[0]} failed: {_reason(said.splitlines())}", said)
    return os.fsdecode(ran.stdout).removesuffix("\n")


def git_succeeds(root: Path, *arguments: str) -> bool:
    """Whether git exits with code 0. This is for questions that git answers with its exit code."""
    try:
        git(root, *arguments)
    except ResultsError:
        return False
    return True


def _reason(said: list[str]) -> str:
    """The last line that says what failed. Before it may stand progress, and after it advice."""
    failed = [line for line in said if line.startswith(("fatal:", "error:"))]
    return failed[-1] if failed else next(iter(said), "it said nothing")
