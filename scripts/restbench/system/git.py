"""Runs git, and tells which version of restbench this is.

Git prints bytes, because paths in a repository and what a server says need not be UTF-8.
"""

import logging
import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

from restbench import __version__
from restbench.errors import ResultsError
from restbench.system.processes import LOCALE

_REMEDY = re.compile(r"^\s+(git config --global --add safe\.directory .+)$", re.MULTILINE)
"""The command that git names where somebody else owns the checkout, and it therefore refuses to read it."""

log = logging.getLogger(__name__)


def git(root: Path, *arguments: str, env: Mapping[str, str] | None = None) -> str:
    """What git prints in a checkout, without the last newline. Bytes that are not UTF-8 are as in Python's paths.

    Raises ResultsError with the reason that git gives, and with all that it says as detail.
    """
    argv = ["git", "--no-optional-locks", "-C", str(root), *arguments]
    try:
        ran = subprocess.run(argv, env={**(env or os.environ), **LOCALE}, capture_output=True, check=False)
    except OSError as error:
        raise ResultsError(f"git {arguments[0]} failed: git: {error.strerror}") from error
    if ran.returncode != 0:
        output = ran.stderr.decode(errors="replace").strip()
        # before the line that says what failed may stand progress, and after it advice
        failed = [line for line in output.splitlines() if line.startswith(("fatal:", "error:"))]
        reason = failed[-1] if failed else next(iter(output.splitlines()), "it said nothing")
        if remedies := _REMEDY.findall(output):
            raise ResultsError(f"git {arguments[0]} failed: {reason}: allow it with: {remedies[0]}")
        raise ResultsError(f"git {arguments[0]} failed: {reason}", output)
    return os.fsdecode(ran.stdout).removesuffix("\n")


def git_succeeds(root: Path, *arguments: str) -> bool:
    """Whether git exits with code 0. This is for questions that git answers with its exit code."""
    try:
        git(root, *arguments)
    except ResultsError:
        return False
    return True


def version() -> str:
    """Returns the package's version, and the commit of its checkout where git knows it: "0.1.0 (1a2b3c4d5e)"."""
    try:
        described = git(Path(__file__).parent, "describe", "--always", "--dirty", "--abbrev=10", "--exclude=*")
    except ResultsError:
        return __version__
    return f"{__version__} ({described})"


def commit(root: Path) -> str | None:
    """Returns the commit of a checkout. None where git does not know it, or where tracked files were changed since.

    Says so where git would know it, and refuses to tell.
    """
    try:
        changed = git(root, "status", "--porcelain", "--untracked-files=no")
        return None if changed else git(root, "rev-parse", "HEAD")
    except ResultsError as error:
        if "safe.directory" in error.message:
            log.warning(f"no commit is noted with the figures: {error.message}")
        return None


def is_ancestor(root: Path, commit: str, of: str) -> bool:
    """Whether a commit comes before another one in the history. False where git does not know both."""
    return git_succeeds(root, "merge-base", "--is-ancestor", commit, of)
