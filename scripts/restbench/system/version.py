"""The version of restbench."""

from pathlib import Path

from restbench import __version__
from restbench.errors import ResultsError
from restbench.system.git import git, git_succeeds


def version() -> str:
    """Returns the package's version, and the commit of its checkout where git knows it: "0.1.0 (1a2b3c4d5e)"."""
    try:
        described = git(Path(__file__).parent, "describe", "--always", "--dirty", "--abbrev=10", "--exclude=*")
    except ResultsError:
        return __version__
    return f"{__version__} ({described})"


def commit(root: Path) -> str | None:
    """Returns the commit of a checkout. None where git does not know it, or where tracked files were changed since."""
    try:
        changed = git(root, "status", "--porcelain", "--untracked-files=no")
        return None if changed else git(root, "rev-parse", "HEAD")
    except ResultsError:
        return None


def is_ancestor(root: Path, commit: str, of: str) -> bool:
    """Whether a commit comes before another one in the history. False where git does not know both."""
    return git_succeeds(root, "merge-base", "--is-ancestor", commit, of)
