"""Commits the results of a run to the branch that everybody reads.

Nothing is rebased. Where another push came first, the results are merged and rendered again on top of it. Merging the
same results twice gives what merging them once gives. Several runs can therefore publish at the same time, and no
results are lost.
"""

import time
from collections.abc import Callable

from restbench.ci.git import Checkout
from restbench.ci.races import Published, publish
from restbench.errors import ResultsError

PUBLISHED = ("README.md", "results")
"""The only paths of the branch that the service commits. A change to them does not start a benchmark."""

CODE = ("scripts", "requirements.txt", "README.md.j2")
"""What makes the results and the README. A change of these paths needs a new process."""


def publish_results(
    checkout: Checkout,
    branch: str,
    message: str,
    make: Callable[[], None],
    sleep: Callable[[float], None] = time.sleep,
) -> Published:
    """Commits the changes that `make` makes to PUBLISHED, and pushes them to `branch`.

    `make` is called in a checkout of the newest commit of the branch. Where another push comes first, it is called
    again on top of that push. Raises ResultsError where that happens too often, or where pushing fails for another
    reason. Raises ResultsError also where the checkout has changes that are not committed, as they would be lost, and
    where the branch has got other code than that of the checkout, because this process runs the code of the checkout.
    """
    if checkout.git("status", "--porcelain", "--untracked-files=no"):
        raise ResultsError(f"{checkout.root} has changes that are not committed: publish from a clean checkout")
    running = checkout.git("rev-parse", "HEAD")

    def attempt() -> str | None:
        newest = checkout.fetch(branch)
        if not checkout.succeeds("diff", "--quiet", running, newest, "--", *CODE):
            raise ResultsError(f"{branch} has got other code meanwhile: run this job again, nothing is lost")
        checkout.git("checkout", "--quiet", "--force", "--detach", newest)
        make()
        checkout.git("add", "--all", "--", *PUBLISHED)
        if checkout.succeeds("diff", "--cached", "--quiet"):
            return None
        checkout.git("commit", "--quiet", "--message", message)
        commit = checkout.git("rev-parse", "HEAD")
        checkout.push(commit, branch)
        return commit

    return publish(branch, attempt, sleep)
