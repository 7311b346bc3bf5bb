"""What is published is on top of what others pushed, whoever comes first, and nothing of theirs or ours is lost."""

import re
from pathlib import Path
from typing import Any

import pytest

from restbench.ci import pages
from restbench.ci.git import READS, Checkout, PushLostError, RemoteBusyError
from restbench.ci.publish import PUBLISHED, publish_results
from restbench.ci.races import TRIES
from restbench.errors import ResultsError
from restbench.system.measuring import MEASURING
from tests.unit.repositories import a_clone, a_remote, files_of, git, push

FIRST = {"README.md": "the board\n", "results/latest/a.json": "old", "scripts/x": "code", ".gitignore": "/out/\n"}


def no_sleep(_seconds: float) -> None:
    pass


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    return a_remote(tmp_path, FIRST)


def writer(checkout: Path, name: str, text: str) -> Any:
    """What makes one result, and README.md of all that there are."""

    def make() -> None:
        path = checkout / "results/latest" / name
        path.write_text(text)
        names = sorted(p.name for p in path.parent.iterdir())
        (checkout / "README.md").write_text(f"the board of {' '.join(names)}\n")

    return make


def test_one_commit_with_results_and_readme_and_nothing_else(remote: Path, tmp_path: Path) -> None:
    mine = a_clone(remote, tmp_path / "mine")
    (mine / "out").mkdir()
    (mine / "out/rounds.jsonl").write_text("not for everybody")
    (mine / "stray").write_text("nor this")
    published = publish_results(Checkout(mine), "main", "Results", writer(mine, "b.json", "new"), no_sleep)
    assert published.tries == 1
    assert git(remote, "rev-parse", "main") == published.commit
    assert git(remote, "diff", "--name-only", "main~1", "main").splitlines() == ["README.md", "results/latest/b.json"]
    assert git(remote, "log", "-1", "--format=%an", "main") == "github-actions[bot]"


def test_publishing_again_pushes_nothing(remote: Path, tmp_path: Path) -> None:
    mine = a_clone(remote, tmp_path / "mine")
    for expected in (True, False):
        published = publish_results(Checkout(mine), "main", "Results", writer(mine, "b.json", "new"), no_sleep)
        assert bool(published.commit) is expected


def test_a_lost_race_is_run_again_on_top_of_the_winner(
    remote: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine, other = a_clone(remote, tmp_path / "mine"), a_clone(remote, tmp_path / "other")
    make, races = writer(mine, "b.json", "new"), [{"results/latest/c.json": "theirs"}, {"docs/y": "more words"}]

    def make_while_others_push() -> None:
        make()
        if races:
            git(other, "pull", "--quiet", "--rebase", "origin", "main")
            push(other, races.pop(0))

    published = publish_results(Checkout(mine), "main", "Results", make_while_others_push, no_sleep)
    assert published.tries == 3
    assert "another push to main came first" in capsys.readouterr().err
    assert git(remote, "show", "main:README.md") == "the board of a.json b.json c.json"
    assert "docs/y" in files_of(remote, "main")
    assert git(remote, "log", "--format=%s", "main").splitlines() == [
        "Results",
        "Somebody else's",
        "Somebody else's",
        "The first",
    ]


def test_results_are_not_made_by_older_code_than_the_branch_has(remote: Path, tmp_path: Path) -> None:
    """The process goes on with the modules that it has imported, so it must not work on files of other code."""
    mine, other = a_clone(remote, tmp_path / "mine"), a_clone(remote, tmp_path / "other")
    push(other, {"scripts/x": "newer code"})
    with pytest.raises(ResultsError, match="main has got other code meanwhile: run this job again, nothing is lost"):
        publish_results(Checkout(mine), "main", "Results", writer(mine, "b.json", "new"), no_sleep)
    assert git(remote, "log", "-1", "--format=%s", "main") == "Somebody else's"


def test_one_who_always_loses_says_so(remote: Path, tmp_path: Path) -> None:
    mine, other = a_clone(remote, tmp_path / "mine"), a_clone(remote, tmp_path / "other")

    def lose() -> None:
        writer(mine, "b.json", "new")()
        push(other, {})

    said = f"main was not pushed in {TRIES} tries: another push to main came first: run this job again"
    with pytest.raises(ResultsError, match=said):
        publish_results(Checkout(mine), "main", "Results", lose, no_sleep)


def fails_first(folder: Path, times: int, said: str, then: str) -> Path:
    """A program that says something and fails, so many times, and then does something else."""
    program, count = folder / "fails-first", folder / "count"
    program.write_text(
        f"#!/bin/sh\ncd {folder} && echo x >>{count.name}\n"
        f"if [ $(wc -l <{count}) -le {times} ]; then echo '{said}' >&2; exit 128; fi\n{then}\n"
    )
    program.chmod(0o755)
    return program


@pytest.mark.parametrize(
    "said",
    [
        "error: atomic push failed for ref refs/heads/main. status: 2",
        "fatal error in commit_refs",
        "error: RPC failed; HTTP 500 curl 22 The requested URL returned error: 500",
        "Internal Server Error",
    ],
)
def test_a_push_that_the_remote_could_not_do_is_tried_again(
    said: str, remote: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = a_clone(remote, tmp_path / "mine")
    fails_first(tmp_path, 2, said, "exit 0").rename(remote / "hooks/pre-receive")
    published = publish_results(Checkout(mine), "main", "Results", writer(mine, "b.json", "new"), no_sleep)
    assert published.tries == 3
    assert git(remote, "rev-parse", "main") == published.commit
    assert f"(2 of {TRIES})" in capsys.readouterr().err


def test_a_push_that_arrived_without_an_answer_is_not_doubled(remote: Path, tmp_path: Path) -> None:
    mine = a_clone(remote, tmp_path / "mine")
    make, calls = writer(mine, "b.json", "new"), list[int]()

    def make_and_arrive() -> None:
        """The first push is there before the remote fails."""
        make()
        if not calls:
            git(mine, "add", "--all")
            git(mine, "commit", "--quiet", "--message", "Results")
            git(mine, "push", "--quiet", "origin", "HEAD:refs/heads/main")
            calls.append(1)
            raise RemoteBusyError("the remote end hung up unexpectedly")

    assert publish_results(Checkout(mine), "main", "Results", make_and_arrive, no_sleep).commit is None
    assert git(remote, "log", "--format=%s", "main").splitlines() == ["Results", "The first"]


@pytest.mark.parametrize(
    "said",
    [
        "fatal: unable to access https://github.com/o/r/: The requested URL returned error: 502",
        "fatal: unable to access https://github.com/o/r/: Could not resolve host: github.com",
        "fatal: the remote end hung up unexpectedly",
    ],
)
def test_a_fetch_that_fails_for_a_while_is_tried_again(
    said: str, remote: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = a_clone(remote, tmp_path / "mine")
    git(mine, "config", "remote.origin.uploadpack", str(fails_first(tmp_path, 2, said, 'exec git-upload-pack "$@"')))
    checkout = Checkout(mine, sleep=no_sleep)
    assert checkout.fetch("main") == git(remote, "rev-parse", "main")
    assert f"trying again (2 of {READS})" in capsys.readouterr().err
    (tmp_path / "count").unlink()
    assert checkout.has_remote_branch("main")


def test_a_fetch_that_never_works_says_why(remote: Path, tmp_path: Path) -> None:
    mine = a_clone(remote, tmp_path / "mine")
    said = "fatal: unable to access https://github.com/o/r/: The requested URL returned error: 503"
    git(mine, "config", "remote.origin.uploadpack", str(fails_first(tmp_path, 99, said, "exit 1")))
    with pytest.raises(ResultsError, match="git fetch failed"):
        Checkout(mine, sleep=no_sleep).fetch("main")
    assert len((tmp_path / "count").read_text().split()) == READS


def test_a_fetch_of_what_is_not_there_is_not_tried_again(remote: Path, tmp_path: Path) -> None:
    mine = a_clone(remote, tmp_path / "mine")

    def never(_seconds: float) -> None:
        raise AssertionError("it waited")

    with pytest.raises(ResultsError, match="git fetch failed: fatal: couldn't find remote ref"):
        Checkout(mine, sleep=never).fetch("missing")


def test_a_tag_with_the_name_of_a_branch_is_not_taken_for_it(remote: Path, tmp_path: Path) -> None:
    mine = a_clone(remote, tmp_path / "mine")
    first = git(remote, "rev-parse", "main")
    for name in ("main", pages.BRANCH):
        git(remote, "tag", name, first)
    push(a_clone(remote, tmp_path / "other"), {"docs/y": "words"}, "refs/heads/main")
    git(mine, "fetch", "--quiet", "--tags", "origin")
    published = publish_results(Checkout(mine), "main", "Results", writer(mine, "b.json", "new"), no_sleep)
    assert git(remote, "rev-parse", "refs/heads/main") == published.commit
    pages.prepare_pages(Checkout(mine))
    pages.publish_pages(Checkout(mine), {"index.html": b"the site"}, "The site", no_sleep)
    shown = git(remote, "ls-tree", "-r", "--name-only", f"refs/heads/{pages.BRANCH}").splitlines()
    assert shown == ["index.html"]
    assert git(remote, "rev-parse", "refs/tags/main") == first


def test_a_push_that_is_not_allowed_is_not_a_lost_race(remote: Path, tmp_path: Path) -> None:
    mine = a_clone(remote, tmp_path / "mine")
    hook = remote / "hooks/pre-receive"
    hook.write_text("#!/bin/sh\necho main is protected >&2\nexit 1\n")
    hook.chmod(0o755)
    with pytest.raises(ResultsError) as caught:
        publish_results(Checkout(mine), "main", "Results", writer(mine, "b.json", "new"), no_sleep)
    assert not isinstance(caught.value, PushLostError)
    assert "main is protected" in caught.value.detail


def test_rules_that_forbid_the_push_are_named(remote: Path, tmp_path: Path) -> None:
    mine = a_clone(remote, tmp_path / "mine")
    hook = remote / "hooks/pre-receive"
    hook.write_text("#!/bin/sh\necho 'error: GH013: Repository rule violations found' >&2\nexit 1\n")
    hook.chmod(0o755)
    with pytest.raises(ResultsError, match=r"the rules of main forbid this push: docs/SERVICE\.md"):
        publish_results(Checkout(mine), "main", "Results", writer(mine, "b.json", "new"), no_sleep)


def test_nobodys_changes_are_thrown_away(remote: Path, tmp_path: Path) -> None:
    mine = a_clone(remote, tmp_path / "mine")
    (mine / "scripts/x").write_text("half done")
    with pytest.raises(ResultsError, match="has changes that are not committed"):
        publish_results(Checkout(mine), "main", "Results", writer(mine, "b.json", "new"), no_sleep)
    assert (mine / "scripts/x").read_text() == "half done"


def test_what_is_published_starts_no_benchmark() -> None:
    """The workflow watches what figures depend on. It commits none of that, so publishing cannot start it again."""
    workflow = (Path(__file__).parents[2] / ".github/workflows/benchmark.yml").read_text()
    (listed,) = re.findall(r"^    paths:\n((?:      - .+\n)+)", workflow, re.MULTILINE)
    watched = [line.strip().removeprefix("- ") for line in listed.splitlines()]
    measuring = [f"{place}**" if place.endswith("/") else place for place in MEASURING]
    assert sorted(watched) == sorted({"frameworks/**", *measuring} - {"frameworks/reference/**"})
    assert not any(path.split("/")[0] == pattern.split("/")[0] for path in PUBLISHED for pattern in watched)


def test_a_token_is_in_no_argument(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    checkout = Checkout(tmp_path, token="secret-token")  # noqa: S106 - made up
    environment = checkout._environment()
    assert environment["GIT_CONFIG_KEY_0"] == "http.https://github.com/.extraheader"
    assert "secret-token" not in " ".join(environment.values())  # it is encoded, as the header wants it
