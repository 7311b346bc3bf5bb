"""The commits of the service. Another job pushes them (scripts/push-publication).

The first has the results of a run, on the board's branch. The second is the gh-pages branch: the site, and beside it
github-action-benchmark's history.

github-action-benchmark commits to the local branch. This module makes the branch where there is none, and adds the
other pages. The branch always has a single commit. Most pages change with every run, so their old versions would fill
the repository, and nobody reads them: the history is in files of the branch and in results/ on main.
"""

import json
import logging
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pydantic import BaseModel, ConfigDict

from restbench.ci.git import Checkout
from restbench.errors import ResultsError
from restbench.system.git import git_succeeds

log = logging.getLogger(__name__)

PUBLISHED = ("README.md", "results")
"""The only paths of the board's branch that the service commits. A change to them does not start a benchmark."""

BOARD = "refs/publication/board"
"""The name of the commit that is to be pushed to the board's branch."""

BRANCH = "gh-pages"
PAGES = "refs/publication/pages"
"""The name of the commit that is to be pushed to the branch."""
HISTORY = Path("dev/bench/data.js")
_ASSIGNMENT = "window.BENCHMARK_DATA = "


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


@dataclass(frozen=True)
class Prepared:
    """`replaces`: the commit of the branch on the remote; None where there is no such branch.

    `damage`: why its history cannot be read; None where it can. github-action-benchmark would replace a history that it
    cannot read by an empty one.
    """

    replaces: str | None
    damage: str | None = None


def prepare_pages(checkout: Checkout) -> Prepared:
    """Sets the local branch to the remote's, or makes an empty branch where the remote has none.

    Only its newest commit is fetched, because each of many old ones has the whole history.
    """
    if not checkout.has_remote_branch(BRANCH):
        tree = checkout.git("hash-object", "-t", "tree", "/dev/null", "-w")
        checkout.git("branch", "--force", BRANCH, checkout.git("commit-tree", tree, "-m", "An empty gh-pages"))
        return Prepared(replaces=None)
    newest = checkout.fetch(BRANCH, depth=1)
    checkout.git("branch", "--force", BRANCH, newest)
    with _work_tree(checkout) as tree_:
        try:
            _history(tree_.root / HISTORY)
        except ResultsError as error:
            return Prepared(newest, error.message)
    return Prepared(newest)


def commit_pages(
    checkout: Checkout,
    pages: dict[str, bytes],
    message: str,
    gone: Callable[[str], bytes | None] = lambda _path: None,
) -> str:
    """Adds the pages to the local branch, as a single commit that is named PAGES. `pages` is path → content.

    `gone` makes the content of a file that is not among the pages, or returns None to leave it as it is. A
    history that cannot be read stays as it is on the remote, and costs the pages nothing.
    """
    with _work_tree(checkout) as tree:
        if ours := _own_history(tree, checkout):
            path = tree.root / HISTORY
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(_ASSIGNMENT + json.dumps(ours, indent=2), encoding="utf-8")
        for path in sorted(tree.root.rglob("*")):
            name = path.relative_to(tree.root).as_posix()
            if name not in pages and path.is_file() and (content := gone(name)) is not None:
                path.write_bytes(content)
        for name, content in pages.items():
            path = tree.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        tree.git("add", "--all")
        commit = tree.git("commit-tree", tree.git("write-tree"), "-m", message)
        checkout.git("update-ref", PAGES, commit)
        return commit


def _own_history(tree: Checkout, checkout: Checkout) -> dict[str, Any] | None:
    """The history of the local branch. Where it cannot be read, the work tree gets the remote's file instead.

    A run that is published again has made a second point of the same commit, which takes the place of the first.
    """
    try:
        history = _history(tree.root / HISTORY)
        if history is None:
            return None
        return {**history, "entries": {suite: _newest(points) for suite, points in history["entries"].items()}}
    except ResultsError as error:
        log.warning(error.message)
    remote = checkout.fetched(BRANCH)
    if remote and git_succeeds(checkout.root, "cat-file", "-e", f"{remote}:{HISTORY}"):
        tree.git("checkout", "--quiet", remote, "--", str(HISTORY))
    else:
        (tree.root / HISTORY).unlink()
    return None


@contextmanager
def _work_tree(checkout: Checkout) -> Iterator[Checkout]:
    """The local branch in a temporary folder of its own, so that the checkout does not change."""
    with TemporaryDirectory(prefix="restbench-pages-") as folder:
        root = Path(folder) / BRANCH
        checkout.git("worktree", "add", "--quiet", "--detach", str(root), f"refs/heads/{BRANCH}")
        try:
            yield replace(checkout, root=root)
        finally:
            shutil.rmtree(root, ignore_errors=True)
            checkout.git("worktree", "prune")


class _Open(BaseModel):
    """A part of the history. The action writes more fields, which are kept as they are."""

    model_config = ConfigDict(extra="allow", strict=True)


class _Commit(_Open):
    id: str


class _Point(_Open):
    commit: _Commit
    date: int
    benches: list[dict[str, Any]]


class _Data(_Open):
    entries: dict[str, list[_Point]]


def _history(path: Path) -> dict[str, Any] | None:
    """The content of data.js, or None where there is no such file.

    Raises ResultsError where github-action-benchmark could not read it: it takes what follows its own assignment, to
    the last byte, and gives it to JSON.parse.
    """
    if not path.is_file():
        return None
    try:
        text = path.read_bytes().decode()
        if not text.startswith(_ASSIGNMENT):
            raise ValueError("it does not begin with its assignment")
        data = json.loads(text.removeprefix(_ASSIGNMENT), parse_constant=_no_constant)
        _Data.model_validate(data)
    except (ValueError, RecursionError) as error:
        raise ResultsError(f"{HISTORY} on {BRANCH} is not what github-action-benchmark writes: restore it") from error
    return dict(data)


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def _newest(points: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The points in the order of time. Of each figure of a commit only the newest is kept."""
    once = {(point["commit"]["id"], point["date"]): point for point in sorted(points, key=lambda point: point["date"])}
    last = {(commit, bench.get("name")): date for (commit, date), point in once.items() for bench in point["benches"]}
    newest = []
    for (commit, date), point in once.items():
        benches = [bench for bench in point["benches"] if last[commit, bench.get("name")] == date]
        if benches or not point["benches"]:
            newest.append({**point, "benches": benches})
    return newest
