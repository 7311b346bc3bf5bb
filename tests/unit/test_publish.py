"""What is published is on top of what others pushed, whoever comes first, and nothing of theirs or ours is lost."""

import json
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
from tests.unit.repositories import a_clone, a_remote, commit, files_of, git, push

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


PAGES = {"index.html": b"<!doctype html>", "board.html": b"<!doctype html>"}


def test_the_first_run_makes_gh_pages(remote: Path, tmp_path: Path) -> None:
    mine = a_clone(remote, tmp_path / "mine")
    assert not pages.prepare_pages(Checkout(mine)).there
    add_point(mine, "Throughput", "one", 1)
    add_point(mine, "CPU per request", "one", 2)
    published = pages.publish_pages(Checkout(mine), PAGES, "The board", no_sleep)
    assert git(remote, "rev-parse", pages.BRANCH) == published.commit
    assert files_of(remote, pages.BRANCH) == ["board.html", "dev/bench/data.js", "index.html"]
    assert points(remote) == {"Throughput": ["one"], "CPU per request": ["one"]}
    assert git(mine, "status", "--porcelain") == ""
    assert git(mine, "worktree", "list").count("\n") == 0


def test_a_later_run_goes_on_with_the_history(remote: Path, tmp_path: Path) -> None:
    for number, there in enumerate((False, True)):
        mine = a_clone(remote, tmp_path / str(number))
        assert pages.prepare_pages(Checkout(mine)).there is there
        add_point(mine, "Throughput", str(number), number)
        pages.publish_pages(Checkout(mine), PAGES, "The board", no_sleep)
    assert points(remote) == {"Throughput": ["0", "1"]}
    assert git(remote, "rev-list", "--count", pages.BRANCH) == "1"  # old versions of pages would fill the repository


@pytest.mark.parametrize("first", [True, False])
def test_two_that_publish_at_once_both_keep_their_points(remote: Path, tmp_path: Path, *, first: bool) -> None:
    if not first:
        before = a_clone(remote, tmp_path / "before")
        pages.prepare_pages(Checkout(before))
        add_point(before, "Throughput", "zero", 0)
        pages.publish_pages(Checkout(before), PAGES, "The board", no_sleep)
    mine, other = a_clone(remote, tmp_path / "mine"), a_clone(remote, tmp_path / "other")
    for checkout, identity, date in ((mine, "mine", 3), (other, "other", 2)):
        pages.prepare_pages(Checkout(checkout))
        add_point(checkout, "Throughput", identity, date)
    pages.publish_pages(Checkout(other), PAGES, "The board", no_sleep)
    published = pages.publish_pages(Checkout(mine), {"index.html": b"newer"}, "The board", no_sleep)
    assert published.tries == 2
    assert points(remote) == {"Throughput": [*([] if first else ["zero"]), "other", "mine"]}
    assert git(remote, "show", f"{pages.BRANCH}:index.html") == "newer"
    assert git(remote, "show", f"{pages.BRANCH}:board.html") == "<!doctype html>"


def test_a_run_that_is_published_again_doubles_no_point(remote: Path, tmp_path: Path) -> None:
    """The same commit again: its figures are replaced, and those that are not measured again stay."""
    for number, names in enumerate((("falcon", "flask"), ("falcon",), ("falcon",))):
        mine = a_clone(remote, tmp_path / str(number))
        pages.prepare_pages(Checkout(mine))
        add_point(mine, "Speed", "a commit", number, *names)
        pages.publish_pages(Checkout(mine), PAGES, "The board", no_sleep)
    text = git(remote, "show", f"{pages.BRANCH}:{pages.HISTORY}")
    first, second = json.loads(text.removeprefix(PREFIX))["entries"]["Speed"]
    assert (first["date"], first["benches"]) == (0, [{"name": "flask", "value": 0}])
    assert (second["date"], second["benches"]) == (2, [{"name": "falcon", "value": 2}])


def test_one_that_is_published_again_while_another_publishes_doubles_no_point(remote: Path, tmp_path: Path) -> None:
    first, again, other = (a_clone(remote, tmp_path / name) for name in ("first", "again", "other"))
    pages.prepare_pages(Checkout(first))
    add_point(first, "Speed", "a", 1, "falcon")
    pages.publish_pages(Checkout(first), PAGES, "The board", no_sleep)
    for checkout, identity, date in ((again, "a", 3), (other, "b", 2)):
        pages.prepare_pages(Checkout(checkout))
        add_point(checkout, "Speed", identity, date, "falcon")
    pages.publish_pages(Checkout(other), PAGES, "The board", no_sleep)
    pages.publish_pages(Checkout(again), PAGES, "The board", no_sleep)
    assert points(remote) == {"Speed": ["b", "a"]}


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
    remote: Path, tmp_path: Path, text: str
) -> None:
    with_history(remote, tmp_path / "other", text)
    mine, said = a_clone(remote, tmp_path / "mine"), list[str]()
    prepared = pages.prepare_pages(Checkout(mine))
    assert re.search(r"data\.js on gh-pages is not what github-action-benchmark writes", prepared.damage or "")
    pages.publish_pages(Checkout(mine), PAGES, "The board", no_sleep, say=said.append)
    assert len(said) == 1
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
    pages.publish_pages(Checkout(mine), PAGES, "The board", no_sleep)
    assert points(remote) == {"Speed": ["a"]}


def test_pages_that_the_site_no_longer_has_say_so(remote: Path, tmp_path: Path) -> None:
    for number, content in enumerate(({"framework/a/b/index.html": b"fast", "mine.txt": b"kept"}, PAGES)):
        mine = a_clone(remote, tmp_path / str(number))
        pages.prepare_pages(Checkout(mine))
        gone = {"framework/a/b/index.html": b"gone"}.get if number else dict[str, bytes]().get
        pages.publish_pages(Checkout(mine), content, "The board", no_sleep, gone=gone)
    assert git(remote, "show", f"{pages.BRANCH}:framework/a/b/index.html") == "gone"
    assert git(remote, "show", f"{pages.BRANCH}:mine.txt") == "kept"


def test_a_token_is_in_no_argument(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    checkout = Checkout(tmp_path, token="secret-token")  # noqa: S106 - made up
    environment = checkout._environment()
    assert environment["GIT_CONFIG_KEY_0"] == "http.https://github.com/.extraheader"
    assert "secret-token" not in " ".join(environment.values())  # it is encoded, as the header wants it
