"""The results of a run, committed to the branch that everybody reads.

Nothing is rebased: where another push came first, the results are merged and rendered anew on top of it. Merging twice
is merging once, so any number of publishers at a time lose nothing of each other.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from restbench.ci.git import Checkout, PushLostError
from restbench.errors import ResultsError

TRIES = 8
PAUSE_SECONDS = 2.0
PUBLISHED = ("README.md", "results")
"""All that the service ever commits. None of it is among the paths that start a benchmark."""


@dataclass(frozen=True)
class Published:
    """What was pushed; None where the branch had all of it already."""

    commit: str | None
    tries: int


def publish_results(
    checkout: Checkout,
    branch: str,
    message: str,
    make: Callable[[], None],
    sleep: Callable[[float], None] = time.sleep,
) -> Published:
    """Commits what `make` changes of PUBLISHED in a checkout of the newest `branch`, and pushes it.

    `make` is called again on top of whatever others pushed meanwhile. Raises ResultsError where the checkout has
    changes of somebody's own, which would be lost, or where pushing fails for another reason than a lost race.
    """
    if checkout.git("status", "--porcelain", "--untracked-files=no"):
        raise ResultsError(f"{checkout.root} has changes that are not committed: publish from a clean checkout")
    for number in range(1, TRIES + 1):
        newest = checkout.fetch(branch)
        checkout.git("checkout", "--quiet", "--force", "--detach", newest)
        make()
        checkout.git("add", "--all", "--", *PUBLISHED)
        if checkout.succeeds("diff", "--cached", "--quiet"):
            return Published(None, number)
        checkout.git("commit", "--quiet", "--message", message)
        commit = checkout.git("rev-parse", "HEAD")
        try:
            checkout.push(commit, branch)
        except PushLostError as lost:
            print(f"{lost.message}: merging again on top of it ({number} of {TRIES})", file=sys.stderr)
            sleep(PAUSE_SECONDS * number)
            continue
        return Published(commit, number)
    raise ResultsError(f"{branch} moved {TRIES} times while the results were pushed: run this job again")
