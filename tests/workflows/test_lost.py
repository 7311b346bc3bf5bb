"""A week in which the service loses things: what the board, the issues and the comment say at its end.

On Monday all is well. On Tuesday a slowdown is merged; its comparison is lost, and so is an artifact. On Wednesday the
history of main is rewritten. GitHub's API fails and limits the requests. A week later Tuesday's run is published again.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import yaml

from restbench.changes.comparison import Verdict
from restbench.changes.records import ChangeRecord
from restbench.results.files import read_folder
from restbench.results.models import EntryResult
from tests.unit.fake_github import FakeGitHub, Trouble
from tests.unit.repositories import git
from tests.workflows.runner import MARKS, REPOSITORY, Ran, Service

pytestmark = MARKS

# These tests do not change Falcon, because other tests use its image
SLOWER, ABSENT = "python/starlette", "python/bottle"
NUMBER = 7

LOSE = {
    "compare.yml": """\
      - if: vars.LOSES_COMPARISON != ''
        run: rm -r out
""",
    "benchmark.yml": f"""\
      - if: vars.LOSES_ARTIFACT != '' && matrix.job.name == '{ABSENT.replace("/", "-")}'
        run: rm -r out
""",
}
"""By workflow: the step by which what its job made is lost before it is uploaded."""

LIMITED = {"x-ratelimit-remaining": "0", "retry-after": "1"}


def troubles(path: str) -> list[Trouble]:
    """The API fails twice, once after it did what it was asked for, and limits the requests once."""
    return [
        Trouble("GET", path, 502),
        Trouble("POST", path, 502, arrived=True),
        Trouble("GET", path, 403, LIMITED, '{"message": "API rate limit exceeded"}'),
    ]


@pytest.fixture(scope="module")
def github() -> Iterator[FakeGitHub]:
    with FakeGitHub(1, NUMBER, "0" * 40, REPOSITORY) as server, server.running():
        yield server


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with TemporaryDirectory(prefix="restbench-lost-") as folder:
        service = Service(Path(folder))
        for workflow, step in LOSE.items():
            path = service.clone / ".github/workflows" / workflow
            text = path.read_text().replace("${{ inputs.suites }}", "${{ inputs.suites || 'hello' }}")
            steps, upload, end = text.partition("      - if: always()\n")
            path.write_text(steps + step + upload + end)
        service.commit("Things get lost")
        git(service.clone, "push", "--quiet", "origin", "main")
        yield service


def dispatched(service: Service, github: FakeGitHub, **more: Any) -> Ran:
    event = {"inputs": {"frameworks": f"{SLOWER} {ABSENT}", "profile": "full"}, "ref": "refs/heads/main"}
    return service.run("benchmark", "workflow_dispatch", event, token="any", GITHUB_API_URL=github.url, **more)  # noqa: S106


def pulled(service: Service) -> None:
    git(service.clone, "pull", "--quiet", "origin", "main")


def change(service: Service, old: str, new: str) -> None:
    app = service.clone / f"frameworks/{SLOWER}/app.py"
    assert app.read_text().count(old) == 1
    app.write_text(app.read_text().replace(old, new))


@dataclass(frozen=True)
class Week:
    """Runs of the week, and the commits that were measured. `again`: Tuesday's run, published a week later."""

    tuesday: Ran
    again: Ran
    first: str
    dropped: str
    rewritten: str


HANDLER = "async def hello_world(request: Request) -> Response:\n"


@pytest.fixture(scope="module")
def week(service: Service, github: FakeGitHub) -> Week:
    first = service.head
    dispatched(service, github)
    pulled(service)
    change(service, HANDLER, f"{HANDLER}    sum(range(1500))\n")
    dropped = service.commit("Count for a while")
    git(service.clone, "push", "--quiet", "origin", "main")
    tuesday = dispatched(service, github, LOSES_COMPARISON="yes", LOSES_ARTIFACT="yes")
    pulled(service)
    rewritten = rewrite(service, dropped)
    github.troubles = troubles("issues")
    push = {"ref": "refs/heads/main", "before": git(service.clone, "rev-parse", "ORIG"), "after": rewritten}
    service.run("benchmark", "push", push, token="any", GITHUB_API_URL=github.url)  # noqa: S106
    again = published_again(service, tuesday, dropped, github)
    return Week(tuesday, again, first, dropped, rewritten)


def rewrite(service: Service, commit: str) -> str:
    """Writes that commit anew, with one more line, below those that came after it. Pushes it by force."""
    clone = service.clone
    git(clone, "branch", "--force", "ORIG")
    git(clone, "reset", "--quiet", "--hard", commit)
    change(service, "    sum(range(1500))\n", "    sum(range(1500))  # it has to be done\n")
    git(clone, "commit", "--quiet", "--all", "--amend", "--message", "Count for a while, and say why")
    git(clone, "cherry-pick", f"{commit}..ORIG")
    git(clone, "push", "--quiet", "--force", "origin", "main")
    return service.head


def published_again(service: Service, run: Ran, commit: str, github: FakeGitHub) -> Ran:
    """What GitHub does where somebody runs the publication of an earlier run again: its commit, and its artifacts."""
    workflow: dict[Any, Any] = yaml.safe_load((service.clone / ".github/workflows/benchmark.yml").read_text())
    jobs = {name: workflow["jobs"][name] for name in ("publish", "publish-again", "report")}
    jobs["publish"] = {key: value for key, value in jobs["publish"].items() if key not in ("needs", "if")}
    document = {"name": "again", "on": "workflow_dispatch", "permissions": {}, "jobs": jobs}
    git(service.clone, "checkout", "--quiet", "--detach", commit)
    path = service.clone / ".github/workflows/again.yml"
    path.write_text(yaml.safe_dump(document))
    event = {"inputs": {}, "ref": "refs/heads/main"}
    ran = service.run(
        "again",
        "workflow_dispatch",
        event,
        token="any",  # noqa: S106
        artifacts=run.artifacts,
        GITHUB_API_URL=github.url,
    )
    path.unlink()
    git(service.clone, "checkout", "--quiet", "main")
    return ran


@pytest.fixture(scope="module")
def results(service: Service, week: Week) -> dict[str, EntryResult]:
    pulled(service)
    return read_folder(service.clone / "results/latest")


def test_what_was_lost_on_tuesday_is_reported(week: Week) -> None:
    assert f"{SLOWER}: its comparison left nothing: it was cancelled, timed out or could not start" in week.tuesday.log
    assert f"{ABSENT}: its job left no results" in week.tuesday.log


def test_the_lost_comparison_is_made_up_for_across_the_rewritten_history(service: Service, week: Week) -> None:
    """It begins at Monday's commit, because Tuesday's is no longer there. So the slowdown is in it."""
    lines = git(service.remote, "show", "main:results/changes.jsonl").splitlines()
    (record,) = [r for line in lines if (r := ChangeRecord.model_validate_json(line)).entry == SLOWER]
    assert (record.before, record.after) == (week.first, week.rewritten)
    assert record.cells["hello/hello_world"].verdict == Verdict.SLOWER


def test_the_board_has_the_newest_figures_and_says_what_is_missing(
    service: Service, week: Week, results: dict[str, EntryResult]
) -> None:
    newest = max(results[SLOWER].runs.values(), key=lambda run: run.started)
    assert newest.machine.commit == week.rewritten
    missed = results[ABSENT].missed
    assert missed
    assert missed.reason == "its job left no results: it was cancelled, timed out or could not start"
    page = (service.clone / "results/issue-tracker.md").read_text()
    assert any("(stale)" in line for line in page.splitlines() if "bottlepy.org" in line)
    assert f"gave no results for it: {missed.reason}" in page


def test_one_issue_is_open_whatever_the_api_answered(week: Week, github: FakeGitHub) -> None:
    (issue,) = github.issues
    assert (issue["state"], issue["title"].endswith(" % slower")) == ("open", True)
    assert github.troubles == []
    assert f"{SLOWER}: issue {issue['number']} is up to date" in week.again.log


def test_publishing_again_replaces_and_doubles_nothing(service: Service, week: Week) -> None:
    assert week.again.code == 0, week.again.log[-6000:]
    text = git(service.remote, "show", "gh-pages:dev/bench/data.js").removeprefix("window.BENCHMARK_DATA = ")
    points = json.loads(text)["entries"]["Speed"]
    figures = [(point["commit"]["id"], bench["name"]) for point in points for bench in point["benches"]]
    assert len(figures) == len(set(figures))
    assert {commit for commit, _ in figures} == {week.first, week.dropped, week.rewritten}


def test_the_comment_is_written_once_whatever_the_api_answered(service: Service, week: Week) -> None:
    pulled(service)
    base = service.head
    git(service.clone, "checkout", "--quiet", "-B", "mine")
    change(service, "  # it has to be done\n", "  # this has to be done\n")
    head = service.commit("Other words")
    branches = {"head": {"sha": head, "ref": "mine"}, "base": {"sha": base, "ref": "main"}}
    opened = {"number": NUMBER, "pull_request": {"number": NUMBER, **branches}}
    compared = service.run("pull-request", "pull_request", opened, SUITES="hello")
    git(service.clone, "checkout", "--quiet", "main")
    assert compared.code == 0, compared.log[-6000:]
    event = {"event": "pull_request", "conclusion": "success", "id": 77, "head_sha": head}
    with FakeGitHub(77, NUMBER, head, REPOSITORY) as github, github.running():
        github.artifacts = {path.stem: path.read_bytes() for path in compared.artifacts.rglob("*.zip")}
        github.files = [f"frameworks/{SLOWER}/app.py"]
        github.troubles = troubles(f"issues/{NUMBER}/comments")
        run = {"workflow_run": event}
        ran = service.run("comment", "workflow_run", run, token="any", GITHUB_API_URL=github.url)  # noqa: S106
        assert github.troubles == []
    assert ran.code == 0, ran.log[-6000:]
    (comment,) = github.comments
    assert "no difference seen" in comment["body"].splitlines()[1]
