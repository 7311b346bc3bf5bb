"""gh-pages gets the site, and no point of its history is lost or doubled."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from restbench.ci import pages
from restbench.ci.git import Checkout
from tests.unit.repositories import a_clone, a_remote, commit, files_of, git


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    return a_remote(tmp_path, {"README.md": "the board\n"})


def add_point(checkout: Path, suite: str, identity: str, date: int, *names: str) -> None:
    """What github-action-benchmark does: one more point of a suite, committed to the local branch."""
    git(checkout, "switch", "--quiet", pages.BRANCH)
    path = checkout / pages.HISTORY
    prefix = "window.BENCHMARK_DATA = "
    data: dict[str, Any] = {"lastUpdate": 0, "entries": {}}
    if path.is_file():
        data = json.loads(path.read_text().removeprefix(prefix))
    benches = [{"name": name, "value": date} for name in names]
    data["entries"].setdefault(suite, []).append({"commit": {"id": identity}, "date": date, "benches": benches})
    data["lastUpdate"] = date
    commit(checkout, {str(pages.HISTORY): prefix + json.dumps(data, indent=2)}, f"add {suite}")
    git(checkout, "checkout", "--quiet", "-")


def points(remote: Path) -> dict[str, list[str]]:
    text = git(remote, "show", f"{pages.BRANCH}:{pages.HISTORY}")
    entries = json.loads(text.removeprefix("window.BENCHMARK_DATA = "))["entries"]
    return {suite: [point["commit"]["id"] for point in found] for suite, found in entries.items()}


def publish(checkout: Path, content: dict[str, bytes], **more: Any) -> str:
    """Commits the pages and pushes them, as the two jobs of the workflow do."""
    commit = pages.commit_pages(Checkout(checkout), content, "The board", **more)
    git(checkout, "push", "--quiet", "--force", "origin", f"{commit}:refs/heads/{pages.BRANCH}")
    return commit


PAGES = {"index.html": b"<!doctype html>", "board.html": b"<!doctype html>"}


def test_the_first_run_makes_gh_pages(remote: Path, tmp_path: Path) -> None:
    mine = a_clone(remote, tmp_path / "mine")
    assert pages.prepare_pages(Checkout(mine)).replaces is None
    add_point(mine, "Throughput", "one", 1)
    add_point(mine, "CPU per request", "one", 2)
    commit = publish(mine, PAGES)
    assert git(mine, "rev-parse", pages.PAGES) == commit
    assert files_of(remote, pages.BRANCH) == ["board.html", "dev/bench/data.js", "index.html"]
    assert points(remote) == {"Throughput": ["one"], "CPU per request": ["one"]}
    assert git(mine, "status", "--porcelain") == ""
    assert git(mine, "worktree", "list").count("\n") == 0


def test_a_later_run_goes_on_with_the_history(remote: Path, tmp_path: Path) -> None:
    newest = None
    for number in range(2):
        mine = a_clone(remote, tmp_path / str(number))
        assert pages.prepare_pages(Checkout(mine)).replaces == newest
        add_point(mine, "Throughput", str(number), number)
        newest = publish(mine, PAGES)
    assert points(remote) == {"Throughput": ["0", "1"]}
    assert git(remote, "rev-list", "--count", pages.BRANCH) == "1"  # old versions of pages would fill the repository


def test_a_run_that_is_published_again_doubles_no_point(remote: Path, tmp_path: Path) -> None:
    """The same commit again: its figures are replaced, and those that are not measured again stay."""
    for number, names in enumerate((("falcon", "flask"), ("falcon",), ("falcon",))):
        mine = a_clone(remote, tmp_path / str(number))
        pages.prepare_pages(Checkout(mine))
        add_point(mine, "Speed", "a commit", number, *names)
        publish(mine, PAGES)
    text = git(remote, "show", f"{pages.BRANCH}:{pages.HISTORY}")
    first, second = json.loads(text.removeprefix(PREFIX))["entries"]["Speed"]
    assert (first["date"], first["benches"]) == (0, [{"name": "flask", "value": 0}])
    assert (second["date"], second["benches"]) == (2, [{"name": "falcon", "value": 2}])


PREFIX = "window.BENCHMARK_DATA = "
WHOLE = PREFIX + '{"lastUpdate": 1, "entries": {"Speed": [{"commit": {"id": "a"}, "date": 1, "benches": []}]}}'
DAMAGED = {
    "cut": WHOLE[:-2],
    "a semicolon": WHOLE + ";",
    "no assignment": WHOLE.removeprefix(PREFIX),
    "another assignment": WHOLE.replace("BENCHMARK_DATA", "BENCHMARK_DATAS"),
    "no number": WHOLE.replace('"date": 1', '"date": NaN'),
    "a mark": "\ufeff" + WHOLE,
    "a list": PREFIX + "[]",
    "a suite that is no list": WHOLE.replace('[{"commit"', '{"x": [{"commit"').replace("}]}}", "}]}}}"),
    "a point without commit": WHOLE.replace('"commit": {"id": "a"}, ', ""),
    "a conflict": f"<<<<<<< ours\n{WHOLE}\n=======\n{WHOLE}\n>>>>>>> theirs",
    "nothing": "",
    "deep": PREFIX + "[" * 100_000,
}
"""What the action cannot read: it gives what follows its assignment to JSON.parse, and begins anew if that fails."""


def with_history(remote: Path, folder: Path, text: str) -> None:
    """Pushes a gh-pages with that data.js, as somebody else would."""
    other = a_clone(remote, folder)
    git(other, "switch", "--quiet", "--orphan", pages.BRANCH)
    commit(other, {str(pages.HISTORY): text}, "a file")
    git(other, "push", "--quiet", "origin", pages.BRANCH)


@pytest.mark.parametrize("text", DAMAGED.values(), ids=DAMAGED)
def test_a_history_that_the_action_cannot_read_stays_and_costs_the_site_nothing(
    remote: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, text: str
) -> None:
    with_history(remote, tmp_path / "other", text)
    mine = a_clone(remote, tmp_path / "mine")
    prepared = pages.prepare_pages(Checkout(mine))
    assert re.search(r"data\.js on gh-pages is not what github-action-benchmark writes", prepared.damage or "")
    publish(mine, PAGES)
    assert caplog.messages == [prepared.damage]
    assert git(remote, "show", f"{pages.BRANCH}:index.html") == "<!doctype html>"
    shown = git(remote, "show", f"{pages.BRANCH}:{pages.HISTORY}")
    assert shown == text.strip()


@pytest.mark.parametrize(
    "text", [WHOLE, WHOLE + "\n", WHOLE.replace(" ", "  ").replace("window.BENCHMARK_DATA  =  ", PREFIX)]
)
def test_what_the_action_can_read_is_no_damage(remote: Path, tmp_path: Path, text: str) -> None:
    with_history(remote, tmp_path / "other", text)
    assert pages.prepare_pages(Checkout(a_clone(remote, tmp_path / "mine"))).damage is None


def test_what_the_action_leaves_broken_is_not_published(remote: Path, tmp_path: Path) -> None:
    with_history(remote, tmp_path / "other", WHOLE)
    mine = a_clone(remote, tmp_path / "mine")
    pages.prepare_pages(Checkout(mine))
    git(mine, "switch", "--quiet", pages.BRANCH)
    commit(mine, {str(pages.HISTORY): WHOLE[:40]}, "half a file")
    git(mine, "checkout", "--quiet", "-")
    publish(mine, PAGES)
    assert points(remote) == {"Speed": ["a"]}


def test_pages_that_the_site_no_longer_has_say_so(remote: Path, tmp_path: Path) -> None:
    for number, content in enumerate(({"framework/a/b/index.html": b"fast", "mine.txt": b"kept"}, PAGES)):
        mine = a_clone(remote, tmp_path / str(number))
        pages.prepare_pages(Checkout(mine))
        gone = {"framework/a/b/index.html": b"gone"}.get if number else dict[str, bytes]().get
        publish(mine, content, gone=gone)
    assert git(remote, "show", f"{pages.BRANCH}:framework/a/b/index.html") == "gone"
    assert git(remote, "show", f"{pages.BRANCH}:mine.txt") == "kept"
