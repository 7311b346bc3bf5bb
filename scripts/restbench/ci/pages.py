"""The gh-pages branch: github-action-benchmark's history, the board, and a page that leads to both.

github-action-benchmark commits to the local branch; here that branch is made where there is none, given its other
pages, and pushed once. Where another push came first, what this run added to the history is added to what is there now.
"""

import json
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from restbench.ci.git import Checkout, PushLostError
from restbench.ci.publish import PAUSE_SECONDS, TRIES, Published
from restbench.errors import ResultsError

BRANCH = "gh-pages"
HISTORY = Path("dev/bench/data.js")
_ASSIGNMENT = "window.BENCHMARK_DATA = "


def prepare_pages(checkout: Checkout) -> bool:
    """Makes the local branch what the remote has, or an empty one. Returns whether the remote has one."""
    if checkout.has_remote_branch(BRANCH):
        newest = checkout.fetch(BRANCH)
        checkout.git("branch", "--force", BRANCH, newest)
        return True
    tree = checkout.git("hash-object", "-t", "tree", "/dev/null", "-w")
    checkout.git("branch", "--force", BRANCH, checkout.git("commit-tree", tree, "-m", "An empty gh-pages"))
    return False


def publish_pages(
    checkout: Checkout,
    pages: dict[str, bytes],
    message: str,
    sleep: Callable[[float], None] = time.sleep,
) -> Published:
    """Adds the pages, by their paths, to the local branch and pushes it. Raises ResultsError."""
    with _work_tree(checkout) as tree:
        ours = _history(tree.root / HISTORY)
        for number in range(1, TRIES + 1):
            for name, content in pages.items():
                path = tree.root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            tree.git("add", "--all")
            if not tree.succeeds("diff", "--cached", "--quiet"):
                tree.git("commit", "--quiet", "--message", message)
            commit = tree.git("rev-parse", "HEAD")
            try:
                tree.push(commit, BRANCH)
            except PushLostError as lost:
                print(f"{lost.message}: adding to what is there now ({number} of {TRIES})", file=sys.stderr)
                sleep(PAUSE_SECONDS * number)
                tree.git("reset", "--quiet", "--hard", tree.fetch(BRANCH))
                _graft(tree.root / HISTORY, ours)
                continue
            return Published(commit, number)
    raise ResultsError(f"{BRANCH} moved {TRIES} times while it was pushed: run this job again")


@contextmanager
def _work_tree(checkout: Checkout) -> Iterator[Checkout]:
    """The local branch in a folder of its own, so that the checkout stays what it is."""
    with TemporaryDirectory(prefix="restbench-pages-") as folder:
        root = Path(folder) / BRANCH
        checkout.git("worktree", "add", "--quiet", "--detach", str(root), BRANCH)
        try:
            yield Checkout(root, checkout.remote, checkout.token)
        finally:
            shutil.rmtree(root, ignore_errors=True)
            checkout.git("worktree", "prune")


def _history(path: Path) -> dict[str, Any] | None:
    """What data.js holds, or None where there is none. Raises ResultsError."""
    if not path.is_file():
        return None
    text = path.read_text()
    try:
        data = json.loads(text.removeprefix(_ASSIGNMENT).rstrip().removesuffix(";"))
        assert isinstance(data["entries"], dict)
    except (ValueError, KeyError, TypeError, AssertionError) as error:
        raise ResultsError(f"{HISTORY} on {BRANCH} is not what github-action-benchmark writes: restore it") from error
    return dict(data)


def _graft(path: Path, ours: dict[str, Any] | None) -> None:
    """Adds to the history what ours has and it lacks: points are known by their commit and time."""
    if ours is None:
        return
    theirs = _history(path)
    if theirs is None:
        theirs = {**ours, "entries": {}}
    for suite, points in ours["entries"].items():
        known = theirs["entries"].setdefault(suite, [])
        seen = {(point["commit"]["id"], point["date"]) for point in known}
        known += [point for point in points if (point["commit"]["id"], point["date"]) not in seen]
        known.sort(key=lambda point: point["date"])
    theirs["lastUpdate"] = max(theirs.get("lastUpdate", 0), ours.get("lastUpdate", 0))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_ASSIGNMENT + json.dumps(theirs, indent=2))
