"""The service commits only results and README, and reads patiently from a remote that fails for a while."""

import re
from pathlib import Path

import pytest

from restbench.ci import pages
from restbench.ci.git import READS, Checkout
from restbench.errors import ResultsError
from restbench.measure.machine import MEASURING
from tests.unit.repositories import a_clone, a_remote, fails_first, git, push

FIRST = {"README.md": "the board\n", "results/latest/a.json": "old", "scripts/x": "code", ".gitignore": "/out/\n"}


def no_sleep(_seconds: float) -> None:
    pass


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    return a_remote(tmp_path, FIRST)


@pytest.fixture
def mine(remote: Path, tmp_path: Path) -> Path:
    return a_clone(remote, tmp_path / "mine")


def test_one_commit_with_results_and_readme_and_nothing_else(remote: Path, mine: Path) -> None:
    (mine / "out").mkdir()
    (mine / "out/rounds.jsonl").write_text("not for everybody")
    (mine / "stray").write_text("nor this")
    (mine / "results/latest/b.json").write_text("new")
    (mine / "README.md").write_text("the board of a and b\n")
    commit = pages.commit_results(Checkout(mine), "Results")
    assert git(mine, "rev-parse", pages.BOARD) == commit
    assert git(mine, "rev-parse", f"{commit}^@") == git(remote, "rev-parse", "main")
    assert git(mine, "diff", "--name-only", "HEAD~1", "HEAD").splitlines() == ["README.md", "results/latest/b.json"]
    assert git(mine, "log", "-1", "--format=%an: %s") == "github-actions[bot]: Results"


def test_nothing_is_committed_where_nothing_is_new(remote: Path, mine: Path) -> None:
    assert pages.commit_results(Checkout(mine), "Results") == git(remote, "rev-parse", "main")


def test_a_result_that_is_gone_is_gone_in_the_commit(mine: Path) -> None:
    (mine / "results/latest/a.json").unlink()
    pages.commit_results(Checkout(mine), "Results")
    assert git(mine, "diff", "--name-status", "HEAD~1", "HEAD") == "D\tresults/latest/a.json"


def test_nobodys_changes_are_published(mine: Path) -> None:
    pages.require_clean(Checkout(mine))
    (mine / "scripts/x").write_text("half done")
    with pytest.raises(ResultsError, match="has changes that are not committed"):
        pages.require_clean(Checkout(mine))


@pytest.mark.parametrize(
    "message",
    [
        "fatal: unable to access https://github.com/o/r/: The requested URL returned error: 502",
        "fatal: unable to access https://github.com/o/r/: Could not resolve host: github.com",
        "fatal: the remote end hung up unexpectedly",
    ],
)
def test_a_fetch_that_fails_for_a_while_is_tried_again(
    message: str, remote: Path, mine: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "restbench")
    git(mine, "config", "remote.origin.uploadpack", str(fails_first(tmp_path, 2, message, 'exec git-upload-pack "$@"')))
    checkout = Checkout(mine, sleep=no_sleep)
    assert checkout.fetch("main") == git(remote, "rev-parse", "main")
    assert f"trying again (2 of {READS})" in caplog.text
    (tmp_path / "count").unlink()
    assert checkout.has_remote_branch("main")


def test_a_fetch_that_never_works_says_why(remote: Path, mine: Path, tmp_path: Path) -> None:
    message = "fatal: unable to access https://github.com/o/r/: The requested URL returned error: 503"
    git(mine, "config", "remote.origin.uploadpack", str(fails_first(tmp_path, 99, message, "exit 1")))
    with pytest.raises(ResultsError, match="git fetch failed"):
        Checkout(mine, sleep=no_sleep).fetch("main")
    assert len((tmp_path / "count").read_text().split()) == READS


def test_a_fetch_of_what_is_not_there_is_not_tried_again(remote: Path, mine: Path, tmp_path: Path) -> None:

    def never(_seconds: float) -> None:
        raise AssertionError("it waited")

    with pytest.raises(ResultsError, match="git fetch failed: fatal: couldn't find remote ref"):
        Checkout(mine, sleep=never).fetch("missing")


def test_a_tag_with_the_name_of_a_branch_is_not_taken_for_it(remote: Path, mine: Path, tmp_path: Path) -> None:
    first = git(remote, "rev-parse", "main")
    for name in ("main", pages.BRANCH):
        git(remote, "tag", name, first)
    git(mine, "fetch", "--quiet", "--tags", "origin")
    newest = push(a_clone(remote, tmp_path / "other"), {"docs/y": "words"}, "refs/heads/main")
    assert Checkout(mine).fetch("main") == newest
    assert pages.prepare_pages(Checkout(mine)).replaces is None
    commit = pages.commit_pages(Checkout(mine), {"index.html": b"the site"}, "The site")
    assert git(mine, "ls-tree", "-r", "--name-only", commit) == "index.html"


def test_what_is_published_starts_no_benchmark() -> None:
    """The workflow watches what figures depend on. It commits none of that, so publishing cannot start it again."""
    workflow = (Path(__file__).parents[2] / ".github/workflows/benchmark.yml").read_text()
    (listed,) = re.findall(r"^    paths:\n((?:      - .+\n)+)", workflow, re.MULTILINE)
    watched = [line.strip().removeprefix("- ") for line in listed.splitlines()]
    measuring = [f"{place}**" if place.endswith("/") else place for place in MEASURING]
    assert sorted(watched) == sorted({"frameworks/**", *measuring} - {"frameworks/reference/**"})
    assert not any(path.split("/")[0] == pattern.split("/")[0] for path in pages.PUBLISHED for pattern in watched)


def test_a_token_is_in_no_argument(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    checkout = Checkout(tmp_path, token="secret-token")  # noqa: S106 - made up
    environment = checkout._environment()
    assert environment["GIT_CONFIG_KEY_0"] == "http.https://github.com/.extraheader"
    assert "secret-token" not in " ".join(environment.values())  # it is encoded, as the header wants it
