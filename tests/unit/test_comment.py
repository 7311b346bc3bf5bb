"""The comment is made of a stranger's files: what does not fit is refused, and no text of theirs does anything."""

import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from restbench.catalog.load import titles_of
from restbench.changes.comparison import Verdict
from restbench.ci.comment import BOT, LARGEST, MARK, MOST_PLACES, MOST_REFUSED, Service, post_comment
from restbench.ci.github import GitHub, GitHubError
from restbench.errors import ResultsError
from tests.made.changes import OUTCOMES, SHA, a_change, a_comparison, a_cost, changed
from tests.made.small import small_catalog
from tests.unit.conftest import Golden
from tests.unit.fake_github import FakeGitHub

RUN, NUMBER, URL = 77, 12, "https://github.com/o/r/actions/runs/77"
SERVICE = Service(titles_of(small_catalog()), "https://github.com/o/r")


def packed(**members: bytes | str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/").replace("_json", ".json").replace("_", "-"), content)
    return file.getvalue()


def a_pull_request(number: Any = NUMBER, jobs: Any = 1) -> bytes:
    return packed(pull_request_json=json.dumps({"number": number, "jobs": jobs}))


def a_comparison_file(title: str = "Falcon", head: str = SHA) -> bytes:
    comparison = a_comparison(changed(title)).model_copy(update={"head": head})
    return packed(comparison_json=comparison.model_dump_json())


def damaged(archive: bytes) -> bytes:
    """The archive with other bytes in the middle of what is packed."""
    return archive[:60] + bytes(255 - byte for byte in archive[60:120]) + archive[120:]


@pytest.fixture
def server() -> Iterator[FakeGitHub]:
    with FakeGitHub(RUN, NUMBER, SHA) as server, server.running():
        server.artifacts = {"pull-request": a_pull_request(), "comparison-a": a_comparison_file()}
        yield server


def posting(server: FakeGitHub) -> str:
    with GitHub("o/r", "a token", server.url) as github:
        return post_comment(RUN, SHA, SERVICE, github)


def posted(server: FakeGitHub) -> str:
    """The text of the one comment that is posted."""
    posting(server)
    ((_, _, body),) = server.posted
    return body


def test_comment(server: FakeGitHub, golden: Golden) -> None:
    """A pull request that changes the harness and results. One of its comparisons does not fit."""
    slower = a_comparison(changed("Falcon", a_change(Verdict.SLOWER, a_cost(1.05))))
    server.artifacts["comparison-a"] = packed(comparison_json=slower.model_dump_json())
    server.artifacts["comparison-b"] = packed(comparison_json="null")
    server.files = ["fixtures/hello/suite.toml", "Makefile", "frameworks/python/packages.py", "results/changes.jsonl"]
    golden(posted(server))


def test_comment_of_no_entry(server: FakeGitHub, golden: Golden) -> None:
    """A pull request that changes results and no entry."""
    server.artifacts = {"pull-request": a_pull_request(jobs=0)}
    server.files = ["results/changes.jsonl"]
    golden(posted(server))


PULL_REQUEST = {"head": {"sha": SHA}, "base": {"ref": "main"}, "state": "open"}
NO_ENTRY = {"pull-request": a_pull_request(jobs=0)}
OWN = {"id": 3, "user": {"login": BOT}, "body": f"{MARK}\nold"}
OTHERS = [
    {"id": 1, "user": {"login": "somebody"}, "body": f"{MARK} not mine"},
    {"id": 2, "user": {"login": BOT}, "body": "of another workflow"},
]
NOTHING = "nothing was posted"
COMMENTED = ("commented on pull request 12", [("POST", "/repos/o/r/issues/12/comments")])
CHANGED = ("changed the comment on pull request 12", [("PATCH", "/repos/o/r/issues/comments/3")])


@pytest.mark.parametrize(
    ("given", "message", "sent"),
    [
        ({}, *COMMENTED),
        ({"comments": OTHERS}, *COMMENTED),
        ({"comments": [*OTHERS, OWN]}, *CHANGED),
        # That no entry changes is posted only where there was a comment before.
        ({"artifacts": NO_ENTRY}, f"pull request 12 changes no entry: {NOTHING}", []),
        ({"artifacts": NO_ENTRY, "comments": [OWN]}, *CHANGED),
        (
            {"pull_request": {**PULL_REQUEST, "head": {"sha": "f" * 40}}},
            f"pull request 12 is at another commit than the one measured: {NOTHING}",
            [],
        ),
        ({"pull_request": {**PULL_REQUEST, "state": "closed"}}, f"pull request 12 is closed: {NOTHING}", []),
    ],
)
def test_what_is_sent(server: FakeGitHub, given: dict[str, Any], message: str, sent: list[tuple[str, str]]) -> None:
    vars(server).update(given)
    assert posting(server) == message
    assert [(method, path) for method, path, _ in server.posted] == sent


def test_a_repeated_run_shows_its_last_attempt(server: FakeGitHub) -> None:
    """GitHub lists the artifacts of all attempts."""
    server.earlier = {"pull-request": a_pull_request(), "comparison-a": a_comparison_file("Earlier")}
    body = posted(server)
    assert body.count("## ") == 1
    assert "Earlier" not in body


@pytest.mark.parametrize(
    ("archive", "error"),
    [
        (a_pull_request("12"), "is refused"),
        (a_pull_request(-1), "is refused"),
        (a_pull_request([12]), "is refused"),
        (a_pull_request(jobs=-1), "is refused"),
        (a_pull_request(jobs=1e308), "is refused"),
        (packed(pull_request_json='{"number": 12, "jobs": 1, "more": 1}'), "is refused"),
        (packed(pull_request_json="{"), "is refused"),
        (packed(other_json="{}"), "is refused"),
        (b"not a zip file", "is refused"),
        (a_pull_request()[:-30], "is refused"),
        (a_pull_request(13), "GitHub answered 404"),
        (b"x" * (3 * LARGEST), "has more than 1,000,000 bytes"),
    ],
)
def test_an_archive_that_is_refused_posts_nothing(server: FakeGitHub, archive: bytes, error: str) -> None:
    server.artifacts["pull-request"] = archive
    server.sizes["pull-request"] = 100  # GitHub may say anything
    with pytest.raises((ResultsError, GitHubError), match=error):
        posting(server)
    assert not server.posted


BOMB = packed(comparison_json=b" " * (50 * LARGEST))
DEEP = packed(comparison_json="[" * 200_000)


@pytest.mark.parametrize(
    ("archive", "size", "why"),
    [
        (BOMB, None, "has more than 1,000,000 bytes"),
        (b"x" * (3 * LARGEST), 100, "has more than 1,000,000 bytes"),
        (a_comparison_file(), 10**10, "comparison-b has 10,000,000,000 bytes"),
        (DEEP, None, "is not JSON"),
        (packed(comparison_json='{"schema_version": 1}'), None, "written by another restbench (schema 1, this one "),
        (packed(**{"..__..__comparison_json": "{}"}), None, "is not there"),
        (b"PK\x03\x04 garbage", None, "cannot be unpacked"),
        (damaged(a_comparison_file()), None, "cannot be unpacked"),
        (a_comparison_file(head="f" * 40), None, "is of another commit"),
    ],
)
def test_a_comparison_that_does_not_fit_is_refused_and_the_others_are_shown(
    server: FakeGitHub, archive: bytes, size: int | None, why: str
) -> None:
    """`size`: what GitHub says of it, where that is a lie."""
    assert size is not None or len(archive) < LARGEST
    server.artifacts["comparison-b"] = archive
    server.sizes |= {"comparison-b": size} if size else {}
    body = posted(server)
    assert why in body
    assert "no difference seen" in body.splitlines()[1]


def test_without_a_comparison_that_fits_there_is_nothing_to_show(server: FakeGitHub) -> None:
    server.sizes["comparison-a"] = 10**10
    body = posted(server)
    assert body.splitlines()[1] == "## 🔴 Nothing could be compared"
    assert "nothing was measured" not in body


def test_texts_of_strangers_notify_nobody_and_link_to_nothing(server: FakeGitHub) -> None:
    """Keys of a schema are texts too."""
    bad = "@everyone #1 GH-2 https://evil.example www.evil.example <img src=x> [a](b) **bold** | `x`"
    server.artifacts["comparison-a"] = a_comparison_file(bad)
    server.artifacts["comparison-b"] = packed(comparison_json=json.dumps({bad: 1}))
    shown = [line for line in posted(server).splitlines() if line.startswith(("## ", "- "))]
    assert len(shown) == 2
    for live in ("@everyone", "#1 ", "GH-2", "://", "www.", "<img", "[a](", "**bold"):
        assert not any(live in line for line in shown)


def test_a_comment_of_many_refusals_is_short_enough_and_says_what_it_leaves_out(server: FakeGitHub) -> None:
    for number in range(160):
        server.artifacts[f"comparison-{number}"] = packed(comparison_json=json.dumps({"x" * 900: number}))
    body = posted(server)
    assert len(body) <= 65_536
    assert f"{160 - MOST_REFUSED} more were refused" in body
    assert body.rstrip().endswith(f"[The whole run]({URL})")


def test_a_comment_of_long_comparisons_is_cut_and_says_so(server: FakeGitHub) -> None:
    server.files = ["Makefile"]
    change = a_change(Verdict.FAILED, why="\U0001f40c" * 900)
    for number in range(40):
        comparison = a_comparison(changed(f"Entry {number}", *[change] * 20))
        server.artifacts[f"comparison-{number}"] = packed(comparison_json=comparison.model_dump_json())
    body = posted(server)
    assert len(body.encode("utf-16-le")) // 2 <= 65_536
    assert body.count("The rest was cut to fit into a comment.") == 1
    assert "only as trustworthy as these files" in body, "a long comparison must not push the warning out"
    assert body.rstrip().endswith(f"[The whole run]({URL})")


@pytest.mark.parametrize(("files", "warned"), [(2999, False), (3000, True), (3400, True)])
def test_a_pull_request_of_more_files_than_github_lists_says_so(
    server: FakeGitHub, files: int, *, warned: bool
) -> None:
    """GitHub lists at most 3,000 of them, and a change of the harness may be among the others."""
    server.files = [f"docs/{number}.md" for number in range(files)]
    assert ("So it is not known whether it changes files" in posted(server)) is warned


def test_texts_of_strangers_are_no_commands_of_the_log(server: FakeGitHub, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "restbench")
    server.artifacts["comparison-b"] = packed(comparison_json='{"a\\n::error title=x::y": 1, "##[add-mask]x": 2}')
    posting(server)
    (message,) = caplog.messages
    assert "comparison-b" in message
    assert not [line for line in message.splitlines() if line.strip().startswith("::") or "##[" in line]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (["frameworks/python/falcon/app.py"], None),
        (
            [f"frameworks/l{number:04d}/packages.py" for number in range(2500)],
            f" and {2500 - MOST_PLACES:,} more places. The figures were",
        ),
        (["frameworks/a`b @everyone/packages.py"], "This pull request changes `frameworks/ab @\u2060everyone"),
    ],
)
def test_one_that_changes_what_measures_it_says_so(server: FakeGitHub, files: list[str], message: str | None) -> None:
    server.files = files
    body = posted(server)
    assert message in body if message else "This pull request changes" not in body


STAMP = "2026-12-01T03:17:00.1234567Z "
LOG = "".join(
    f"{STAMP}{line}\n"
    for line in (
        "##[group]Run make verify",
        "python/falcon: building the image",
        "\x1b[31mE: @everyone\x1b[0m",
        "make: *** [Makefile:90: verify] Error 1",
        "##[error]Process completed with exit code 2.",
        "##[group]Run actions/upload-artifact",
        "##[warning]No files were found",
        "Cleaning up orphan processes",
    )
)


def a_job(number: int, conclusion: str, *steps: tuple[str, str], name: str = "compare / b") -> dict[str, Any]:
    listed = [{"name": step, "conclusion": ended} for step, ended in steps]
    return {"id": number, "name": name, "conclusion": conclusion, "steps": listed}


@pytest.mark.parametrize(
    ("job", "told", "advice"),
    [
        (
            a_job(1, "failure", ("Set up job", "success"), ("Conformance", "failure"), ("Summary", "skipped")),
            "its job failed in the step “Conformance”",
            "only if its last lines name a server",
        ),
        (
            a_job(1, "failure", ("Run ./.github/actions/prepare", "failure")),
            "its job failed in the step “Run ./.github/actions/prepare”",
            "Nothing of the entry ran yet",
        ),
        (
            a_job(1, "cancelled", ("Comparison of both versions", "cancelled")),
            "its job ran out of time in the step “Comparison of both versions”",
            "helps if the runner was slow",
        ),
        (a_job(2, "failure"), "its job failed outside of its steps", "Its runner was lost"),
    ],
)
def test_a_dead_job_says_where_it_ended_and_whether_trying_again_helps(
    server: FakeGitHub, job: dict[str, Any], told: str, advice: str
) -> None:
    """Job 2 has no log."""
    server.artifacts["pull-request"] = a_pull_request(jobs=2)
    server.jobs = [a_job(3, "success", name="compare / a"), job, a_job(4, "failure", name="plan")]
    server.logs = {1: LOG}
    body = posted(server)
    assert f"**b** brought no comparison: {told}" in body
    assert advice in body
    block = "python/falcon: building the image\nE: @everyone\nmake: *** [Makefile:90: verify] Error 1\n"
    assert (f"```text\n{block}```" in body) is (job["id"] == 1)
    assert "**plan**" not in body
    assert "**a**" not in body


def test_a_job_whose_comparison_is_there_is_not_dead(server: FakeGitHub) -> None:
    """A step behind the comparison may fail."""
    server.jobs = [a_job(1, "failure", ("Conformance", "failure"), name="compare / a")]
    assert "brought no comparison" not in posted(server)


def test_comments(server: FakeGitHub, golden: Golden) -> None:
    """A new entry that fails and changes results, and one whose job died."""
    new = a_comparison(OUTCOMES["new and fails"])
    server.artifacts["comparison-a"] = packed(comparison_json=new.model_dump_json())
    server.files = ["frameworks/python/new/app.py", "frameworks/not-yet.toml", "results/README.md", "it's mine.md"]
    first = posted(server)
    server.posted.clear()
    server.comments.clear()
    del server.artifacts["comparison-a"]
    server.jobs = [a_job(1, "failure", ("Build the images of both versions", "failure"), name="compare / new")]
    server.logs = {1: LOG}
    golden(f"{first}\n{posted(server)}")


def test_what_comes_after_the_merge_leads_to_the_page(server: FakeGitHub) -> None:
    with GitHub("o/r", "a token", server.url) as github:
        post_comment(RUN, SHA, replace(SERVICE, site="https://o.github.io/r/"), github)
    ((_, _, body),) = server.posted
    assert "[its page](https://o.github.io/r/framework/python/falcon/), which has a badge to copy." in body
