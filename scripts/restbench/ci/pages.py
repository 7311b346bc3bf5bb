"""The gh-pages branch: the site, and beside it github-action-benchmark's history.

github-action-benchmark commits to the local branch. This module makes the branch where there is none, adds the other
pages and pushes the branch once. Where another push came first, the points that this run added to the history are added
to the history of that push.

The branch always has a single commit. Most pages change with every run, so their old versions would fill the
repository, and nobody reads them: the history is in files of the branch and in results/ on main.
"""

import json
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from restbench.ci.git import Checkout, PushLostError
from restbench.ci.races import Published, publish
from restbench.errors import ResultsError

BRANCH = "gh-pages"
HISTORY = Path("dev/bench/data.js")
_ASSIGNMENT = "window.BENCHMARK_DATA = "


def prepare_pages(checkout: Checkout) -> bool:
    """Sets the local branch to the remote's, or makes an empty branch where the remote has none.

    Only its newest commit is fetched, because each of many old ones has the whole history. Returns whether the remote
    has the branch. Raises ResultsError where its history is damaged, because
    github-action-benchmark would replace such a history by an empty one.
    """
    if checkout.has_remote_branch(BRANCH):
        newest = checkout.fetch(BRANCH, depth=1)
        if checkout.succeeds("cat-file", "-e", f"{newest}:{HISTORY}"):
            _read_history(checkout.git("show", f"{newest}:{HISTORY}"))
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
    """Adds the pages to the local branch and pushes it as a single commit. `pages` is path → content.

    Where another push comes first, it tries again on top of that push. Raises ResultsError where that happens too
    often, where pushing fails for another reason, or where the history is damaged.
    """
    with _work_tree(checkout) as tree:
        ours = _history(tree.root / HISTORY)

        def attempt() -> str:
            for name, content in pages.items():
                path = tree.root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            tree.git("add", "--all")
            commit = tree.git("commit-tree", tree.git("write-tree"), "-m", message)
            try:
                tree.push(commit, BRANCH, replaces=checkout.fetched(BRANCH))
            except PushLostError:
                tree.git("reset", "--quiet", "--hard", tree.fetch(BRANCH, depth=1))
                _graft(tree.root / HISTORY, ours)
                raise
            return commit

        return publish(BRANCH, attempt, sleep)


@contextmanager
def _work_tree(checkout: Checkout) -> Iterator[Checkout]:
    """The local branch in a temporary folder of its own, so that the checkout does not change."""
    with TemporaryDirectory(prefix="restbench-pages-") as folder:
        root = Path(folder) / BRANCH
        checkout.git("worktree", "add", "--quiet", "--detach", str(root), BRANCH)
        try:
            yield Checkout(root, checkout.remote, checkout.token)
        finally:
            shutil.rmtree(root, ignore_errors=True)
            checkout.git("worktree", "prune")


def _history(path: Path) -> dict[str, Any] | None:
    """The content of data.js, or None where there is no such file. Raises ResultsError where it is damaged."""
    return _read_history(path.read_text()) if path.is_file() else None


def _read_history(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text.removeprefix(_ASSIGNMENT).rstrip().removesuffix(";"))
        assert isinstance(data["entries"], dict)
    except (ValueError, KeyError, TypeError, AssertionError) as error:
        raise ResultsError(f"{HISTORY} on {BRANCH} is not what github-action-benchmark writes: restore it") from error
    return dict(data)


def _graft(path: Path, ours: dict[str, Any] | None) -> None:
    """Adds to the history the points of `ours` that it lacks. A point is identified by its commit and time."""
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
