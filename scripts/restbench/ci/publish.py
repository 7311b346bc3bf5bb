"""Commits the results of a run in this checkout. Another job pushes the commit (scripts/push-publication)."""

from restbench.ci.git import Checkout
from restbench.errors import ResultsError
from restbench.system.git import git_succeeds

PUBLISHED = ("README.md", "results")
"""The only paths of the board's branch that the service commits. A change to them does not start a benchmark."""

BOARD = "refs/publication/board"
"""The name of the commit that is to be pushed to the board's branch."""


def require_clean(checkout: Checkout) -> None:
    """Raises ResultsError where the checkout has changes that are not committed, as they would be published."""
    if checkout.git("status", "--porcelain", "--untracked-files=no"):
        raise ResultsError(f"{checkout.root} has changes that are not committed: publish from a clean checkout")


def commit_results(checkout: Checkout, message: str) -> str:
    """Commits what is new of PUBLISHED on top of HEAD. Returns the commit, which is HEAD where nothing is new."""
    checkout.git("add", "--all", "--", *PUBLISHED)
    if not git_succeeds(checkout.root, "diff", "--cached", "--quiet"):
        checkout.git("commit", "--quiet", "--message", message)
    commit = checkout.git("rev-parse", "HEAD")
    checkout.git("update-ref", BOARD, commit)
    return commit
