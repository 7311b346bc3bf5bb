"""The version of restbench."""

import subprocess
from pathlib import Path

from restbench import __version__


def version() -> str:
    """Returns the package's version, and the commit of its checkout where git knows it: "0.1.0 (1a2b3c4d5e)"."""
    argv = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty", "--abbrev=10", "--exclude=*"]
    try:
        ran = subprocess.run(argv, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return __version__
    return f"{__version__} ({ran.stdout.strip()})"


def commit(root: Path) -> str | None:
    """Returns the commit of a checkout. None where git does not know it, or where tracked files were changed since."""
    try:
        changed = _git(root, "status", "--porcelain", "--untracked-files=no")
        return None if changed else _git(root, "rev-parse", "HEAD")
    except (OSError, subprocess.CalledProcessError):
        return None


def is_ancestor(root: Path, commit: str, of: str) -> bool:
    """Whether a commit comes before another one in the history. False where git does not know both."""
    try:
        _git(root, "merge-base", "--is-ancestor", commit, of)
    except (OSError, subprocess.CalledProcessError):
        return False
    return True


def _git(root: Path, *arguments: str) -> str:
    argv = ["git", "--no-optional-locks", "-C", str(root), *arguments]
    ran = subprocess.run(argv, capture_output=True, text=True, check=True)
    return ran.stdout.strip()
