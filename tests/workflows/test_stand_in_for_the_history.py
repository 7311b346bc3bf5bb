"""Points are added to the history on gh-pages by the rules of github-action-benchmark."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.unit.repositories import a_clone, a_remote, commit, files_of, git, push
from tests.workflows.runner import REPOSITORY
from tests.workflows.stand_ins import Ran, ran_with_node

pytestmark = pytest.mark.needs("node")


@dataclass(frozen=True)
class Pages:
    """A remote, and a clone of it in which the action runs. Its local gh-pages branch is empty at first."""

    remote: Path
    clone: Path

    def add(self, value: float | str | None, event: Mapping[str, Any] | None = None, **given: str) -> Ran:
        """Runs the action with that figure, or with none. `event`: by default a dispatch of main."""
        figures = [] if value is None else [{"name": "python/a", "unit": "%", "value": value, "more": "no such key"}]
        speeds, payload = self.clone.with_name("speeds.json"), self.clone.with_name("event.json")
        speeds.write_text(json.dumps(figures))
        repository = {"html_url": f"https://github.com/{REPOSITORY}"}
        payload.write_text(json.dumps({"repository": repository, **(event or {})}))
        inputs = {
            "name": "Speed",
            "tool": "customBiggerIsBetter",
            "output-file-path": str(speeds),
            "github-token": "any",
            "skip-fetch-gh-pages": "true",
        }
        environment = {"GITHUB_EVENT_PATH": str(payload), "GITHUB_REF": "refs/heads/main"}
        given = {name.replace("_", "-"): text for name, text in given.items()}
        return ran_with_node("github-action-benchmark", self.clone, environment, {**inputs, **given})

    def pushed(self, value: float, commit_id: str, **given: str) -> Ran:
        """Runs the action with that figure for the push of a commit."""
        return self.add(value, {"head_commit": {"id": commit_id}}, **given)

    @property
    def history(self) -> dict[str, Any]:
        text = git(self.clone, "show", "gh-pages:dev/bench/data.js")
        found: dict[str, Any] = json.loads(text.removeprefix("window.BENCHMARK_DATA = "))
        return found

    @property
    def points(self) -> list[dict[str, Any]]:
        points: list[dict[str, Any]] = self.history["entries"]["Speed"]
        return points

    @property
    def values(self) -> list[float]:
        return [point["benches"][0]["value"] for point in self.points]


@pytest.fixture
def pages(tmp_path: Path) -> Pages:
    remote = a_remote(tmp_path, {"README.md": "1"})
    clone = a_clone(remote, tmp_path / "clone")
    tree = git(clone, "hash-object", "-t", "tree", "/dev/null", "-w")
    git(clone, "branch", "gh-pages", git(clone, "commit-tree", tree, "-m", "An empty gh-pages"))
    return Pages(remote, clone)


def test_a_point_of_a_push_names_its_newest_commit(pages: Pages) -> None:
    assert pages.add(100, {"head_commit": {"id": "abc", "message": "Mine"}}, ref="main").returncode == 0
    assert pages.points[0]["commit"] == {"id": "abc", "message": "Mine"}


def test_a_point_of_a_pull_request_names_its_head(pages: Pages) -> None:
    url = f"https://github.com/{REPOSITORY}/pull/7"
    head = {"sha": "abc", "user": {"login": "anna"}, "repo": {"updated_at": "2026-11-01T00:00:00Z"}}
    assert pages.add(100, {"pull_request": {"title": "Mine", "html_url": url, "head": head}}).returncode == 0
    named = pages.points[0]["commit"]
    assert (named["id"], named["message"], named["url"]) == ("abc", "Mine", f"{url}/commits/abc")


def test_other_events_name_no_commit_so_the_newest_of_the_branch_is_taken(pages: Pages) -> None:
    """That is the remote's newest, which need not be the one that was measured."""
    elsewhere = a_clone(pages.remote, pages.remote.with_name("elsewhere"))
    newest = push(elsewhere, {"results": "1"})
    assert pages.add(100).returncode == 0
    named = pages.points[0]["commit"]
    assert (named["id"], named["message"]) == (newest, "Somebody else's")
    assert named["url"] == f"https://github.com/{REPOSITORY}/commit/{newest}"


def test_the_input_ref_names_the_commit_where_the_event_does_not(pages: Pages) -> None:
    measured = git(pages.clone, "rev-parse", "HEAD")
    push(a_clone(pages.remote, pages.remote.with_name("elsewhere")), {"results": "1"})
    assert pages.add(100, ref=measured).returncode == 0
    assert pages.points[0]["commit"]["id"] == measured


def test_without_a_token_nobody_can_be_asked_for_the_commit(pages: Pages) -> None:
    said = pages.add(100, github_token="")
    assert said.returncode == 1
    assert "no 'github-token' provided" in said.stdout


def test_a_broken_history_is_replaced_by_an_empty_one(pages: Pages) -> None:
    assert pages.pushed(100, "a").returncode == 0
    git(pages.clone, "switch", "--quiet", "gh-pages")
    commit(pages.clone, {"dev/bench/data.js": "window.BENCHMARK_DATA = {"}, "A mistake")
    git(pages.clone, "switch", "--quiet", "main")
    said = pages.pushed(90, "b")
    assert said.returncode == 0
    assert "Using empty default" in said.stdout
    assert pages.values == [90]


def test_the_oldest_points_are_cut_where_there_are_too_many(pages: Pages) -> None:
    for number, value in enumerate((1, 2, 3, 4)):
        assert pages.pushed(value, str(number), max_items_in_chart="3").returncode == 0
    assert pages.values == [2, 3, 4]


def test_points_are_kept_for_ever_without_a_limit(pages: Pages) -> None:
    for number, value in enumerate((1, 2, 3)):
        assert pages.pushed(value, str(number)).returncode == 0
    assert pages.values == [1, 2, 3]


def test_other_suites_stay_as_they_are(pages: Pages) -> None:
    assert pages.pushed(1, "a", name="Other").returncode == 0
    assert pages.pushed(2, "a").returncode == 0
    assert set(pages.history["entries"]) == {"Other", "Speed"}


def test_the_commit_is_made_on_the_local_branch_and_not_pushed(pages: Pages) -> None:
    git(pages.clone, "checkout", "--quiet", "--detach")
    before = git(pages.clone, "rev-parse", "HEAD")
    assert pages.pushed(100, "a").returncode == 0
    assert set(files_of(pages.clone, "gh-pages")) == {"dev/bench/data.js", "dev/bench/index.html"}
    assert git(pages.clone, "log", "-1", "--format=%an: %s", "gh-pages") == (
        "github-action-benchmark: add Speed (customBiggerIsBetter) benchmark result for a"
    )
    assert git(pages.remote, "branch", "--list", "gh-pages") == ""
    assert (git(pages.clone, "rev-parse", "HEAD"), git(pages.clone, "branch", "--show-current")) == (before, "")


def test_a_page_that_is_there_is_kept(pages: Pages) -> None:
    git(pages.clone, "switch", "--quiet", "gh-pages")
    commit(pages.clone, {"dev/bench/index.html": "mine"}, "A page")
    git(pages.clone, "switch", "--quiet", "main")
    assert pages.pushed(100, "a").returncode == 0
    assert git(pages.clone, "show", "gh-pages:dev/bench/index.html") == "mine"


def test_a_point_has_what_the_action_knows_of_a_figure(pages: Pages) -> None:
    assert pages.add("99.5", {"head_commit": {"id": "a"}}).returncode == 0
    assert pages.points[0]["benches"] == [{"name": "python/a", "value": 99.5, "unit": "%"}]


def test_an_alert_fails_the_action_after_the_commit_where_that_is_asked_for(pages: Pages) -> None:
    assert pages.pushed(100, "a").returncode == 0
    said = pages.pushed(95, "b", alert_threshold="105%", fail_on_alert="true")
    assert said.returncode == 1
    assert "Performance Alert: python/a" in said.stdout
    assert pages.values == [100, 95]


def test_a_figure_within_the_threshold_is_no_alert(pages: Pages) -> None:
    assert pages.pushed(100, "a").returncode == 0
    assert pages.pushed(96, "b", alert_threshold="105%", fail_on_alert="true").returncode == 0


def test_without_a_comment_or_a_failure_nothing_is_compared_with_the_threshold(pages: Pages) -> None:
    assert pages.pushed(100, "a").returncode == 0
    said = pages.pushed(10, "b", alert_threshold="105%", comment_on_alert="false", fail_on_alert="false")
    assert said.returncode == 0
    assert "Alert" not in said.stdout


def test_alerts_compare_with_the_newest_point_of_another_commit(pages: Pages) -> None:
    assert pages.pushed(100, "a").returncode == 0
    assert pages.pushed(50, "b").returncode == 0
    assert pages.pushed(50, "b", alert_threshold="105%", fail_on_alert="true").returncode == 1
    assert pages.pushed(50, "c", alert_threshold="105%", fail_on_alert="true").returncode == 0


@pytest.mark.parametrize(
    ("figure", "given", "said"),
    [
        (None, {}, "No benchmark result was found"),
        ("much", {}, "is no number"),
        (1, {"tool": "pytest"}, "Invalid value 'pytest' for 'tool' input"),
        (1, {"name": ""}, "Name must not be empty"),
        (1, {"alert_threshold": "105"}, "must ends with '%'"),
        (1, {"alert_threshold": "much%"}, "cannot be parsed"),
        (1, {"max_items_in_chart": "0"}, "must be one or more"),
        (1, {"max_items_in_chart": "many"}, "must be one or more"),
        (1, {"fail_on_alert": "yes"}, "must be boolean value"),
        (1, {"comment_on_alert": "true"}, "this stand-in posts no comments"),
        (1, {"skip_fetch_gh_pages": "false"}, "this stand-in does not fetch"),
    ],
)
def test_wrong_inputs_are_refused_before_anything_is_committed(
    pages: Pages, figure: float | str | None, given: dict[str, str], said: str
) -> None:
    refused = pages.add(figure, {"head_commit": {"id": "a"}}, **given)
    assert refused.returncode == 1
    assert "::error::" in refused.stdout
    assert said in refused.stdout
    assert files_of(pages.clone, "gh-pages") == []
