"""The one issue about what has been missing for more than a week."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from restbench.catalog import CellKey
from restbench.ci.alarms import Alarm, alarms, report_alarms
from restbench.ci.github import GitHub
from restbench.results.models import EntryResult, Failure, Missed, SoloRounds
from tests.made.records import a_cell, a_run, an_entry
from tests.unit.conftest import Golden
from tests.unit.fake_github import FakeGitHub

NOW = datetime(2026, 3, 20, 6, tzinfo=UTC)
RUN = "https://github.com/o/r/actions/runs/9"
NAMES = [f"python/a{number}" for number in range(6)]
CELLS = {
    name: [CellKey("hello", "hello_world", None), CellKey("issue-tracker", "userinfo", "raw")]
    for name in [*NAMES, "go/gin"]
}
"""What the catalogue has."""


def measured(entry: str, days: float, cells: list[dict[str, Any]] | None = None, **changes: Any) -> EntryResult:
    """An entry that a full run measured so many days ago."""
    run = a_run(f"20260301T093000Z-{days:08.0f}", started=NOW - timedelta(days=days), target="docker", profile="full")
    made = [a_cell(run, **each) for each in cells or [{}]]
    return an_entry(entry, run, made).model_copy(update=changes)


def failing(days: float | None) -> dict[str, Any]:
    """A cell that fails, and was measured last so many days ago."""
    good = None if days is None else NOW - timedelta(days=days)
    return {"failure": Failure(check="status", got="got 500\n<b>"), "solo": SoloRounds(), "last_good": good}


def missed(reason: str) -> Missed:
    return Missed(started=NOW, reason=reason)


def others(days: float = 2) -> list[EntryResult]:
    return [measured(name, days) for name in NAMES]


def found(*results: EntryResult) -> list[str]:
    # Markdown of what a job wrote has a joiner in it, so that it mentions and links nothing
    return [f"{each.what}: {each.why}".replace("\u2060", "") for each in alarms([*others(), *results], CELLS, NOW)]


MEASURED = "all cells: it was measured last on 2026-03-11; status: got 500 &lt;b&gt;"
OLD = "all cells: its figures are of 2026-03-11;"


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        (measured("go/gin", 7.9), None),
        (measured("go/gin", 1, [failing(7)]), None),
        (measured("go/gin", 1, [failing(9)]), f"fails: {MEASURED}"),
        (measured("go/gin", 1, [failing(9), {"scenario": "userinfo"}]), "fails: 1 of 2 cells: it was measured last on"),
        (measured("go/gin", 1, [failing(None)]), "fails: all cells: it was never measured"),
        (measured("go/gin", 9, missed=missed("it was cancelled")), f"is stale: {OLD} it was cancelled"),
        (measured("go/gin", 9), f"is stale: {OLD} no later run was to measure it"),
        (measured("go/gin", 9, [{"missed": missed("no route")}]), f"is stale: {OLD} no route"),
        # Only what the service publishes counts.
        (an_entry("go/gin", a_run(started=NOW - timedelta(days=90))), None),
        # The results of an entry or a variant that was removed stay in the repository.
        (measured("go/removed", 90), None),
        (measured("go/removed", 1, [failing(90)]), None),
        (measured("go/gin", 1, [{}, {"scenario": "removed", **failing(90)}]), None),
    ],
)
def test_what_is_missing_for_more_than_a_week_is_an_alarm(result: EntryResult, reason: str | None) -> None:
    reasons = [each.removeprefix("go/gin ")[: len(reason or "")] for each in found(result)]
    assert reasons == ([reason] if reason else [])


def test_without_results_there_is_no_alarm() -> None:
    assert found() == []
    assert alarms([], CELLS, NOW) == []


def test_a_schedule_that_is_off_is_one_alarm_and_not_forty() -> None:
    """Merges still measure single entries."""
    (alarm,) = alarms([*others(20), measured("go/gin", 1)], CELLS, NOW)
    assert alarm.what == "no full run"
    assert alarm.why.startswith(
        "6 of 7 entries were measured last on 2026-02-28, or earlier. Start `benchmark` by hand."
    )
    assert "disables the schedule" in alarm.why


@pytest.fixture
def server() -> Iterator[FakeGitHub]:
    with FakeGitHub(9, 1, "0" * 40) as server, server.running():
        yield server


def report(server: FakeGitHub, *found: str) -> list[str]:
    with GitHub("o/r", "a token", server.url) as github:
        return report_alarms([Alarm(each, "since long") for each in found], github, RUN)


def test_service_issue(server: FakeGitHub, golden: Golden) -> None:
    results = [*others(), measured("go/gin", 9, [failing(9), {"scenario": "userinfo", "missed": missed("no route")}])]
    with GitHub("o/r", "a token", server.url) as github:
        report_alarms(alarms(results, CELLS, NOW), github, RUN)
    (issue,) = server.issues
    golden(f"{issue['title']}\n\n{issue['body']}")


def test_there_is_one_issue_which_is_kept(server: FakeGitHub) -> None:
    assert report(server) == ["nothing has been missing for more than a week, and no issue is open"]
    assert report(server, "go/gin fails") == ["the service: issue 100 was opened"]
    assert report(server, "go/gin fails") == ["the service: issue 100 is up to date"]
    assert report(server, "go/gin fails", "no full run") == ["the service: issue 100 was changed"]
    (issue,) = server.issues
    assert issue["labels"] == [{"name": "service"}]
    assert report(server) == ["the service: issue 100 is closed, as nothing is missing"]
    assert server.issues[0]["state"] == "closed"
    assert report(server, "rust/axum is stale") == ["the service: issue 101 was opened"]


def test_an_issue_of_many_alarms_is_short_enough(server: FakeGitHub) -> None:
    report(server, *(f"python/entry-{number} fails" for number in range(300)))
    assert len(server.issues[0]["body"]) < 65_536
    assert "- and 240 more" in server.issues[0]["body"]
