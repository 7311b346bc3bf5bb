"""One GitHub issue for each entry that became slower, over the HTTP of a fake GitHub."""

from collections.abc import Iterator

import pytest

from restbench.catalog.load import titles_of
from restbench.changes.comparison import Cause, CauseKind
from restbench.changes.records import ChangeRecord
from restbench.changes.regressions import Judged, Judgement, open_regressions
from restbench.ci.github import GitHub, GitHubError
from restbench.ci.issues import MENDED, report_regressions
from tests.made.changes import a_cell_cost, a_record
from tests.made.small import small_catalog
from tests.unit.conftest import Golden
from tests.unit.fake_github import FakeGitHub

SLOWER = a_record(ratio=1.062, number=1)
AGAIN = a_record(ratio=1.08, number=2)
MEND = a_record(ratio=1 / 1.062, number=3)
EXPECTED = Judgement(verdict=Judged.EXPECTED, why="It checks more.")
RUN = "https://github.com/o/r/actions/runs/9"
TITLES = titles_of(small_catalog())


@pytest.fixture
def server() -> Iterator[FakeGitHub]:
    with FakeGitHub(9, 1, "0" * 40) as server, server.running():
        yield server


def report(server: FakeGitHub, *records: ChangeRecord, **judged: Judgement) -> list[str]:
    with GitHub("o/r", "a token", server.url) as github:
        return report_regressions(open_regressions(records, judged), github, RUN, TITLES)


def test_regression_issue(server: FakeGitHub, golden: Golden) -> None:
    """Its title and text, with two records of which the first also changed a single cell."""
    bump = Cause(kind=CauseKind.FRAMEWORK, name="falcon", before="4.3.0", after="4.4.0")
    cells = {"hello/hello_world": a_cell_cost(1.062), "issue-tracker/sprint/msgspec": a_cell_cost(1.2)}
    report(server, a_record(ratio=1.062, number=1, causes=[bump], cells=cells), AGAIN)
    (issue,) = server.issues
    golden(f"{issue['title']}\n\n{issue['body']}")


def test_each_entry_has_an_issue_of_its_own_which_is_opened_once(server: FakeGitHub) -> None:
    assert report(server, SLOWER) == ["python/falcon: issue 100 was opened"]
    assert report(server, SLOWER) == ["python/falcon: issue 100 is up to date"]
    report(server, SLOWER, a_record("rust/axum", ratio=1.3))
    assert [issue["title"].partition(" ")[0] for issue in server.issues] == ["Falcon", "axum"]
    assert server.issues[0]["labels"] == [{"name": "regression"}]


@pytest.mark.parametrize(
    ("by_a_person", "then", "message", "state"),
    [
        ("open", AGAIN, "issue 100 was changed", "open"),
        ("open", MEND, "issue 100 is closed, as the slowdown is mended", "closed"),
        ("open", EXPECTED, "issue 100 is closed, as the slowdown is mended", "closed"),
        ("closed", None, "issue 100 about it was closed by a person, and nothing new came", "closed"),
        ("closed", AGAIN, "issue 101 was opened", "closed"),
    ],
)
def test_an_issue_follows_its_entry_and_what_people_say(
    server: FakeGitHub, by_a_person: str, then: ChangeRecord | Judgement | None, message: str, state: str
) -> None:
    report(server, SLOWER)
    server.issues[0]["state"] = by_a_person
    records = [SLOWER, then] if isinstance(then, ChangeRecord) else [SLOWER]
    judged = {SLOWER.id: then} if isinstance(then, Judgement) else {}
    assert report(server, *records, **judged) == [f"python/falcon: {message}"]
    assert server.issues[0]["state"] == state
    assert (("POST", "/repos/o/r/issues/100/comments", MENDED) in server.posted) == ("mended" in message)
    if "mended" in message:
        assert report(server, *records, **judged) == ["no entry became slower by 5 % or more, and no issue is open"]


def test_issues_of_people_are_left_alone(server: FakeGitHub) -> None:
    body = "<!-- restbench: regression python/falcon -->"
    theirs = {"number": 7, "title": "x", "body": body, "state": "open", "labels": [{"name": "regression"}]}
    server.issues.append({**theirs, "user": {"login": "somebody"}})
    report(server)
    assert server.issues[0]["state"] == "open"


def test_an_issue_on_a_later_page_is_found(server: FakeGitHub) -> None:
    report(server, SLOWER)
    label = [{"name": "regression"}]
    for number in range(200, 350):
        server.issues.append(
            {"number": number, "body": None, "state": "open", "labels": label, "user": {"login": "somebody"}}
        )
    assert report(server, SLOWER) == ["python/falcon: issue 100 is up to date"]


@pytest.mark.parametrize("status", [403, 404, 410])
@pytest.mark.parametrize("place", [("GET", "issues"), ("POST", "labels"), ("POST", "issues")])
def test_without_permission_the_remedy_is_named_and_nothing_else_is_tried(
    server: FakeGitHub, place: tuple[str, str], status: int
) -> None:
    server.refusals[place] = status
    (sentence,) = report(server, SLOWER, a_record("rust/axum", ratio=1.3))
    assert sentence.startswith(f"no issue was opened or changed: GitHub answered {status}")
    assert "issues: write" in sentence
    assert server.issues == []


def test_an_issue_that_github_refuses_costs_the_others_nothing(server: FakeGitHub) -> None:
    report(server, SLOWER)
    server.refusals["PATCH", "issues/100"] = 422
    sentences = report(server, SLOWER, AGAIN, a_record("rust/axum", ratio=1.3))
    assert sentences[0].startswith("python/falcon: GitHub refused its issue: GitHub answered 422")
    assert sentences[1] == "rust/axum: issue 101 was opened"


def test_an_error_of_github_is_an_error_and_nothing_is_doubled_later(server: FakeGitHub) -> None:
    server.refusals["POST", "issues"] = 502
    with pytest.raises(GitHubError, match="GitHub answered 502 to POST /issues"):
        report(server, SLOWER)
    server.refusals.clear()
    report(server, SLOWER)
    assert len(server.issues) == 1


def test_texts_of_a_job_are_shown_as_texts(server: FakeGitHub) -> None:
    cause = Cause(kind=CauseKind.CODE, name="@somebody", before="<img src=x>", after="[x](http://y) #7 ``` ~~~")
    report(server, a_record(causes=[cause], version="1`</details>@all"))
    title, body = server.issues[0]["title"], server.issues[0]["body"]
    assert "@all" not in title
    for raw in ("@somebody", "@all", "<img", "[x](", "</details>", " #7"):
        assert raw not in body


def test_an_issue_of_many_records_is_short_enough_and_names_all(server: FakeGitHub) -> None:
    """An issue that a person closed is known by the records that it names."""
    cells = {f"hello/{'x' * 80}{number}": a_cell_cost(1.2) for number in range(150)}
    records = [a_record(ratio=1.2, number=number, cells=cells) for number in range(1, 60)]
    report(server, *records)
    (issue,) = server.issues
    assert len(issue["body"]) < 65_536
    server.issues[0]["state"] = "closed"
    (sentence,) = report(server, *records)
    assert sentence.endswith("was closed by a person, and nothing new came")


def test_the_issue_of_a_renamed_entry_stays(server: FakeGitHub) -> None:
    report(server, SLOWER)
    with GitHub("o/r", "a token", server.url) as github:
        renamed = SLOWER.model_copy(update={"entry": "python/new"})
        found = open_regressions([renamed], {})
        moved = {"python/falcon": "python/new"}
        sentences = report_regressions(found, github, RUN, TITLES, lambda name: moved.get(name, name))
    assert sentences == ["python/new: issue 100 was changed"]
    assert server.issues[0]["title"].startswith("python/new 4.3.0")
