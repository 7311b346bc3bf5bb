"""What the service does where GitHub's API fails for a while, limits it, forbids, or leaves something out."""

import time
from collections.abc import Iterator

import pytest

from restbench.changes.regressions import open_regressions
from restbench.ci import comment as comments
from restbench.ci import issues
from restbench.ci.github import LONGEST_PAUSE, TRIES, GitHub, GitHubError, patiently
from tests.made.changes import SHA, a_record
from tests.unit.fake_github import BOT, FakeGitHub, Trouble
from tests.unit.test_comment import RUN, a_comparison_file, a_pull_request

LIMITED = '{"message": "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."}'
FORBIDDEN = '{"message": "Resource not accessible by integration"}'


SERVICE = comments.Service(str, "https://github.com/o/r")


@pytest.fixture
def server() -> Iterator[FakeGitHub]:
    with FakeGitHub(RUN, 12, SHA) as fake, fake.running():
        fake.artifacts = {"pull-request": a_pull_request(), "comparison-a": a_comparison_file()}
        yield fake


def commented(server: FakeGitHub, pauses: list[float] | None = None) -> str:
    """What `ci comment` says. It does not wait."""
    slept = [] if pauses is None else pauses
    with GitHub("o/r", "token", server.url) as github:
        return patiently(lambda: comments.post_comment(RUN, SHA, SERVICE, github), slept.append)


def reported(server: FakeGitHub, *entries: str, pauses: list[float] | None = None) -> list[str]:
    """What `ci report-regressions` says."""
    slept = [] if pauses is None else pauses
    found = open_regressions([a_record(name, ratio=1.062) for name in entries], {})
    with GitHub("o/r", "token", server.url) as github:
        return patiently(lambda: issues.report_regressions(found, github, None, str), slept.append)


REQUESTS = [
    ("GET", "actions/runs/"),
    ("GET", "actions/artifacts/0"),
    ("GET", "actions/artifacts/1"),
    ("GET", "pulls/12/files"),
    ("GET", "pulls/12"),
    ("GET", "issues/12/comments"),
    ("POST", "issues/12/comments"),
]


@pytest.mark.parametrize("status", [500, 502, 503, 504, 429, 408])
@pytest.mark.parametrize(("method", "begun"), REQUESTS)
def test_one_error_of_githubs_own_costs_no_comment(server: FakeGitHub, method: str, begun: str, status: int) -> None:
    server.troubles = [Trouble(method, begun, status)]
    assert commented(server) == "commented on pull request 12"
    assert server.troubles == []
    (written,) = server.comments
    assert "python/falcon" in written["body"]


def test_a_comment_that_arrived_without_an_answer_is_not_doubled(server: FakeGitHub) -> None:
    server.troubles = [Trouble("POST", "issues/12/comments", 502, arrived=True)]
    assert commented(server) == "changed the comment on pull request 12"
    assert len(server.comments) == 1


def test_an_issue_that_arrived_without_an_answer_is_not_doubled(server: FakeGitHub) -> None:
    server.troubles = [Trouble("POST", "issues", 502, arrived=True), Trouble("POST", "labels", 502, arrived=True)]
    assert reported(server, "python/falcon") == ["python/falcon: issue 100 is up to date"]
    assert len(server.issues) == 1


def test_a_mend_has_one_comment_where_closing_fails(server: FakeGitHub) -> None:
    reported(server, "python/falcon")
    server.troubles = [Trouble("PATCH", "issues/100", 502), Trouble("POST", "issues/100/comments", 504, arrived=True)]
    assert reported(server) == ["python/falcon: issue 100 is closed, as the slowdown is mended"]
    assert [path for method, path, body in server.posted if body == issues.MENDED] == ["/repos/o/r/issues/100/comments"]
    assert server.issues[0]["state"] == "closed"


@pytest.mark.parametrize(
    ("trouble", "pause"),
    [
        (Trouble("POST", "issues", 403, text=LIMITED), 60.0),
        (Trouble("POST", "issues", 403, {"retry-after": "7"}, LIMITED), 7.0),
        (Trouble("POST", "issues", 403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1"}, "{}"), 1.0),
        (Trouble("POST", "issues", 429, {"retry-after": "9"}, "{}"), 9.0),
        (Trouble("GET", "issues", 403, text=LIMITED), 60.0),
        (Trouble("POST", "labels", 403, text='{"message": "API rate limit exceeded for installation"}'), 60.0),
    ],
)
def test_a_rate_limit_is_waited_for(
    server: FakeGitHub, trouble: Trouble, pause: float, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "restbench")
    names, pauses = ("python/a", "python/b", "python/c"), list[float]()
    server.troubles = [trouble]
    sentences = reported(server, *names, pauses=pauses)
    assert [line for line in sentences if "was opened" in line or "up to date" in line] == sentences
    assert sorted(issue["title"].split()[0] for issue in server.issues) == list(names)
    assert pauses == [pytest.approx(pause)]
    assert f"too many requests for its rate limit: trying again in {pause:.0f} s (1 of {TRIES})" in caplog.text


def test_a_missing_permission_is_distinguished_from_a_rate_limit(server: FakeGitHub) -> None:
    pauses = list[float]()
    server.troubles = [Trouble("POST", "issues", 403, {"x-ratelimit-remaining": "4987"}, FORBIDDEN)]
    (sentence,) = reported(server, "python/falcon", pauses=pauses)
    assert "needs the permission issues: write" in sentence
    assert pauses == []


def test_a_limit_that_lasts_too_long_ends_with_the_remedy(server: FakeGitHub) -> None:
    pauses = list[float]()
    reset = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(time.time() + 10 * LONGEST_PAUSE))}
    server.troubles = [Trouble("GET", "issues", 403, reset, "{}")]
    with pytest.raises(GitHubError, match=r"after 1 try, and asks for 1,\d+ s: run this job again later, nothing is"):
        reported(server, "python/falcon", pauses=pauses)
    assert pauses == []


def test_it_gives_up_in_the_end(server: FakeGitHub) -> None:
    pauses = list[float]()
    server.refusals = {("GET", "pulls/12"): 503}
    with pytest.raises(GitHubError, match=f"GitHub answered 503 to GET /pulls/12, after {TRIES} tries: run this job"):
        commented(server, pauses)
    assert pauses == [5.0, 10.0, 20.0, 40.0]
    assert server.comments == []


def test_nobody_who_answers_is_waited_for_too() -> None:
    pauses = list[float]()
    with (
        GitHub("o/r", "token", "http://127.0.0.1:9") as github,
        pytest.raises(GitHubError, match="GitHub did not answer GET /issues"),
    ):
        patiently(lambda: issues.report_regressions({}, github, None, str), pauses.append)
    assert len(pauses) == TRIES - 1


MISSING = [
    {"id": 7, "user": None, "body": "by an account that was deleted"},
    {"id": 8, "user": {"login": BOT}, "body": None},
    {"id": 9, "user": {}},
    {"user": {"login": BOT}, "body": comments.MARK},
    "no object",
]


@pytest.mark.parametrize("comment", MISSING)
def test_missing_fields_of_a_comment_are_no_crash(server: FakeGitHub, comment: object) -> None:
    server.comments = [comment]  # type: ignore[list-item]
    assert commented(server) == "commented on pull request 12"


@pytest.mark.parametrize(
    "issue",
    [
        {"number": 3, "state": "open", "body": None, "user": {"login": BOT}},
        {"number": 3, "state": "open", "body": "<!-- restbench: regression python/falcon -->", "user": None},
        {"number": 3, "state": "open"},
        {"state": "open", "body": "<!-- restbench: regression python/falcon -->", "user": {"login": BOT}},
        {},
    ],
)
def test_missing_fields_of_an_issue_are_no_crash(server: FakeGitHub, issue: dict[str, object]) -> None:
    listed = {"labels": [{"name": issues.REGRESSIONS.label}], **issue}
    server.issues = [{"state": "open", **listed}]
    sentences = reported(server, "python/falcon")
    assert sentences == ["python/falcon: issue 101 was opened"]


@pytest.mark.parametrize("answer", [{}, {"head": None, "state": "open"}, {"head": {}, "state": "open"}, [], "text"])
def test_an_answer_without_what_it_is_about_is_one_line(server: FakeGitHub, answer: object) -> None:
    server.pull_request = answer  # type: ignore[assignment]
    with pytest.raises(GitHubError, match="GitHub did not say what pull request 12 is"):
        commented(server)


def test_a_run_that_was_held_back_is_no_failure(server: FakeGitHub) -> None:
    """GitHub may start the comment for a run of a first contribution that waits for an approval."""
    server.artifacts = {}
    text = commented(server)
    assert text == f"run {RUN} uploaded nothing called pull-request: it was held back or has failed, nothing was posted"
    assert server.posted == []
