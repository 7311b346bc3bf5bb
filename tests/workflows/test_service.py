"""Tests the workflows: a matrix of real Docker builds under real load, artifacts, the commit on main, gh-pages."""

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from restbench.changes.comparison import Comparison, Verdict
from restbench.changes.records import ChangeRecord
from tests.unit.fake_github import FakeGitHub
from tests.unit.repositories import files_of, git
from tests.workflows.runner import MARKS, REPOSITORY, Ran, Service
from tests.workflows.user import Sudo

pytestmark = MARKS

# These tests do not change Falcon, because other tests use its image
ENTRIES = ("python/falcon", "python/starlette")
AT_FIRST = (*ENTRIES, "python/bottle")
"""What the first run measures."""

NUMBER = 7
INPUTS = {"frameworks": " ".join(ENTRIES), "suites": "hello", "profile": "full"}


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """The workflows run as a user that may not enter pytest's folders."""
    with TemporaryDirectory(prefix="restbench-service-") as folder:
        yield Service(Path(folder))


def dispatched(service: Service, branch: str = "main", github: FakeGitHub | None = None, **inputs: str) -> Ran:
    """Runs the workflow of the board, as a maintainer starts it by hand. Such an event names no commit.

    Without `github`, nobody answers the API.
    """
    event = {"inputs": {**INPUTS, **inputs}, "ref": f"refs/heads/{branch}"}
    url = github.url if github else "http://127.0.0.1:9"
    return service.run("benchmark", "workflow_dispatch", event, token="any", GITHUB_API_URL=url)  # noqa: S106


def history(service: Service) -> dict[str, list[dict[str, Any]]]:
    text = git(service.remote, "show", "gh-pages:dev/bench/data.js").removeprefix("window.BENCHMARK_DATA = ")
    entries: dict[str, list[dict[str, Any]]] = json.loads(text)["entries"]
    return entries


def measured_entries(point: dict[str, Any]) -> set[str]:
    return {bench["name"].split(" · ")[0] for bench in point["benches"]}


def published(service: Service, entry: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(git(service.remote, "show", f"main:results/latest/{entry}.json"))
    return found


def records(service: Service) -> list[ChangeRecord]:
    """The change records on main."""
    lines = git(service.remote, "show", "main:results/changes.jsonl").splitlines()
    return [ChangeRecord.model_validate_json(line) for line in lines]


@pytest.fixture(scope="module")
def github() -> Iterator[FakeGitHub]:
    """GitHub's API, which knows the issues of all runs."""
    with FakeGitHub(1, NUMBER, "0" * 40, REPOSITORY) as server, server.running():
        yield server


@pytest.fixture(scope="module")
def first(service: Service, github: FakeGitHub) -> Ran:
    ran = dispatched(service, github=github, frameworks=" ".join(AT_FIRST))
    assert ran.code == 0, ran.log[-6000:]
    return ran


def test_a_run_commits_results_and_readme_to_main_once(service: Service, first: Ran) -> None:
    assert git(service.remote, "log", "--format=%an: %s", "main").splitlines()[1:] == [
        "github-actions[bot]: What there is"
    ]
    changed = git(service.remote, "diff", "--name-only", "main~1", "main").splitlines()
    assert "README.md" in changed
    assert all(path == "README.md" or path.startswith("results/") for path in changed)
    for entry in AT_FIRST:
        newest = max(published(service, entry)["runs"].values(), key=lambda run: run["started"])
        assert (newest["target"], newest["profile"]) == ("docker", "full")
        assert newest["machine"]["commit"] == git(service.remote, "rev-parse", "main~1")
    assert "3 of 3 entries measured: " in first.log


def test_workflows_do_not_run_as_root(service: Service, first: Ran) -> None:
    """Hosted runners do not either. Where these tests do not run as root, neither do the workflows."""
    owners = {path.stat().st_uid for path in first.artifacts.rglob("*.zip")}
    assert owners and 0 not in owners


def test_gh_pages_has_the_history_the_board_and_an_index(service: Service, first: Ran) -> None:
    assert {"index.html", "board.html", "dev/bench/data.js", "dev/bench/index.html"} <= set(
        files_of(service.remote, "gh-pages")
    )
    entries = history(service)
    assert set(entries) == {"Speed"}
    (point,) = entries["Speed"]
    assert {bench["name"]: bench["value"] for bench in point["benches"]} == {f"{e} · hello": 100 for e in AT_FIRST}
    # the commit of the results is the newest one of main, but it was not measured
    measured = git(service.remote, "rev-parse", "main~1")
    assert {point["commit"]["id"] for points in entries.values() for point in points} == {measured}


def test_a_run_of_one_entry_publishes_that_entry(service: Service, first: Ran, github: FakeGitHub) -> None:
    """Its user may use sudo, as on hosted runners. In all other runs sudo refuses everything."""
    git(service.clone, "pull", "--quiet", "origin", "main")
    service.sudo = Sudo.ALLOWED
    ran = dispatched(service, github=github, frameworks=ENTRIES[1])
    service.sudo = Sudo.REFUSED
    assert ran.code == 0, ran.log[-6000:]
    assert "1 of 1 entries measured: " in ran.log
    assert git(service.remote, "log", "-1", "--format=%s", "main").endswith(", 1 entry")


BURNING = "async def hello_world(request: Request) -> Response:\n"


def merged(service: Service, message: str, change: Callable[[str], str]) -> str:
    """Merges a change of Starlette's app to main. Returns the commit."""
    git(service.clone, "pull", "--quiet", "origin", "main")
    app = service.clone / f"frameworks/{ENTRIES[1]}/app.py"
    app.write_text(change(app.read_text()))
    commit = service.commit(message)
    git(service.clone, "push", "--quiet", "origin", "main")
    return commit


@pytest.fixture(scope="module")
def slowdown(service: Service, first: Ran, github: FakeGitHub) -> Ran:
    """The run after a merge that makes Starlette slower, and leaves its answers as they are."""
    merged(service, "Count for a while", lambda app: app.replace(BURNING, f"{BURNING}    sum(range(1500))\n"))
    ran = dispatched(service, github=github, frameworks=ENTRIES[1])
    assert ran.code == 0, ran.log[-6000:]
    return ran


def test_a_merged_slowdown_is_measured_before_and_after(service: Service, slowdown: Ran) -> None:
    (record,) = records(service)
    assert (record.entry, record.target) == (ENTRIES[1], "docker")
    assert git(service.remote, "log", "-1", "--format=%s", record.after) == "Count for a while"
    changed = git(service.remote, "diff", "--name-only", record.before, record.after, "--", "frameworks", "scripts")
    assert changed == f"frameworks/{ENTRIES[1]}/app.py"
    cell = record.cells["hello/hello_world"]
    assert cell.verdict == Verdict.SLOWER
    assert cell.ratio is not None
    assert 1.05 < cell.ratio < 2
    assert [str(cause).partition(" ")[0] for cause in record.causes] == ["code"]
    assert "### What changed" in slowdown.log


def test_the_history_of_an_entry_is_the_chain_of_its_records(service: Service, slowdown: Ran) -> None:
    (record,) = records(service)
    (figure,) = [bench["value"] for bench in history(service)["Speed"][-1]["benches"]]
    assert figure == pytest.approx(100 / (record.cells["hello/hello_world"].ratio or 0), rel=1e-3)


def test_a_slowdown_opens_an_issue(slowdown: Ran, github: FakeGitHub) -> None:
    (issue,) = github.issues
    assert issue["title"].startswith("Starlette ")
    assert issue["title"].endswith(" % slower")
    assert f"{ENTRIES[1]}: issue {issue['number']} was opened" in slowdown.log


def test_its_revert_is_a_record_and_closes_the_issue(service: Service, slowdown: Ran, github: FakeGitHub) -> None:
    merged(service, "Count no more", lambda app: app.replace("    sum(range(1500))\n", ""))
    ran = dispatched(service, github=github, frameworks=ENTRIES[1])
    assert ran.code == 0, ran.log[-6000:]
    slower, faster = records(service)
    assert (faster.before, faster.cells["hello/hello_world"].verdict) == (slower.after, Verdict.FASTER)
    (issue,) = github.issues
    assert issue["state"] == "closed"
    (figure,) = [bench["value"] for bench in history(service)["Speed"][-1]["benches"]]
    assert figure == pytest.approx(100, abs=4)


def test_another_profile_is_not_published(service: Service, first: Ran) -> None:
    """Who tries the service with a short run on the main branch loses no figures."""
    main, pages = (git(service.remote, "rev-parse", name) for name in ("main", "gh-pages"))
    ran = dispatched(service, frameworks=ENTRIES[0], profile="smoke")
    assert ran.code == 0, ran.log[-6000:]
    assert list(ran.artifacts.rglob("job-python-falcon.zip"))
    assert (main, pages) == tuple(git(service.remote, "rev-parse", name) for name in ("main", "gh-pages"))


def test_what_another_branch_measures_is_not_published(service: Service, first: Ran) -> None:
    main, pages = (git(service.remote, "rev-parse", name) for name in ("main", "gh-pages"))
    git(service.clone, "checkout", "--quiet", "-B", "other")
    ran = dispatched(service, "other", frameworks=ENTRIES[0], profile="smoke")
    git(service.clone, "checkout", "--quiet", "main")
    assert ran.code == 0, ran.log[-6000:]
    assert list(ran.artifacts.rglob("job-python-falcon.zip"))
    assert (main, pages) == tuple(git(service.remote, "rev-parse", name) for name in ("main", "gh-pages"))


def test_an_entry_that_does_not_build_costs_no_other_anything(service: Service, first: Ran, github: FakeGitHub) -> None:
    """In the next run one entry is broken. The board has the reason, and the history of the other entry goes on."""
    git(service.clone, "pull", "--quiet", "origin", "main")
    before = [len(points) for points in history(service).values()]
    broken = service.clone / "frameworks/python/starlette/requirements.txt"
    # a version that is not there: of a package without any, pip says what it says where the index is unreachable
    broken.write_text(broken.read_text() + "colorama==0.0.0 --hash=sha256:" + "0" * 64 + "\n")
    service.commit("A mistake")
    git(service.clone, "push", "--quiet", "origin", "main")
    ran = dispatched(service, github=github)
    assert ran.code == 0, ran.log[-6000:]  # that an entry failed is a result
    failed = [cell for cell in published(service, "python/starlette")["cells"] if "failure" in cell]
    assert failed
    assert all(cell["failure"]["check"] == "build" and cell["last_good"] for cell in failed)
    entries = history(service)
    assert [len(points) for points in entries.values()] == [count + 1 for count in before]
    assert [measured_entries(points[-1]) for points in entries.values()] == [{"python/falcon"}]
    assert git(service.remote, "log", "--format=%s", "main").splitlines()[0].startswith("Results of ")


def unpacked(archive: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(archive.read_bytes())) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def artifact(ran: Ran, name: str) -> dict[str, bytes]:
    (archive,) = ran.artifacts.rglob(f"{name}.zip")
    return unpacked(archive)


def opened(service: Service, base: str) -> Ran:
    """Runs the workflow of a pull request from the clone's HEAD to that commit."""
    pull_request = {
        "number": NUMBER,
        "head": {"sha": service.head, "ref": "mine"},
        "base": {"sha": base, "ref": "main"},
    }
    return service.run("pull-request", "pull_request", {"number": NUMBER, "pull_request": pull_request}, SUITES="hello")


@contextmanager
def branch(service: Service) -> Iterator[str]:
    """Checks out a new branch at the first commit of main, and yields that commit. Then checks out main."""
    base = git(service.remote, "rev-list", "--max-parents=0", "main")
    git(service.clone, "checkout", "--quiet", "-B", "mine", base)
    yield base
    git(service.clone, "checkout", "--quiet", "--force", "main")


@dataclass(frozen=True)
class PullRequest:
    """A pull request that changes one entry, and the run of its workflow."""

    base: str
    head: str
    ran: Ran


@pytest.fixture(scope="module")
def pull_request(service: Service, first: Ran) -> PullRequest:
    with branch(service) as base:
        app = service.clone / "frameworks/python/starlette/app.py"
        app.write_text(app.read_text() + "\n# nothing that changes anything\n")
        head = service.commit("A comment")
        ran = opened(service, base)
    assert ran.code == 0, ran.log[-6000:]
    return PullRequest(base, head, ran)


def test_a_pull_request_is_compared_with_its_base(pull_request: PullRequest) -> None:
    ran = pull_request.ran
    assert json.loads(artifact(ran, "pull-request")["pull-request.json"]) == {"number": NUMBER, "jobs": 1}
    files = artifact(ran, "comparison-python-starlette")
    comparison = Comparison.model_validate_json(files["comparison.json"])
    assert (comparison.base, comparison.head) == (pull_request.base, pull_request.head)
    (entry,) = comparison.entries
    assert (entry.entry, entry.status) == ("python/starlette", "changed")
    assert entry.cells[0].cost is not None
    summary = files["comparison.md"].decode()
    assert summary.partition(" ")[2].partition(" ")[2].startswith("Starlette ")
    assert summary.splitlines()[0] in ran.log
    assert not list(ran.artifacts.rglob("comparison-python-falcon.zip"))


def test_what_was_compared_becomes_a_comment(service: Service, pull_request: PullRequest) -> None:
    event = {"event": "pull_request", "conclusion": "success", "id": 77, "head_sha": pull_request.head}
    with FakeGitHub(77, NUMBER, pull_request.head, REPOSITORY) as github, github.running():
        github.artifacts = {path.stem: path.read_bytes() for path in pull_request.ran.artifacts.rglob("*.zip")}
        github.files = ["frameworks/python/starlette/app.py"]
        run = {"workflow_run": event}
        ran = service.run("comment", "workflow_run", run, token="any", GITHUB_API_URL=github.url)  # noqa: S106
    assert ran.code == 0, ran.log[-6000:]
    ((method, path, body),) = github.posted
    assert (method, path) == ("POST", f"/repos/{REPOSITORY}/issues/{NUMBER}/comments")
    assert "Starlette" in body.splitlines()[1]


def test_a_pull_request_that_changes_no_entry_measures_nothing(service: Service, first: Ran) -> None:
    with branch(service) as base:
        (service.clone / "docs/more.md").write_text("More words.\n")
        service.commit("Words")
        ran = opened(service, base)
    assert ran.code == 0, ran.log[-6000:]
    assert not list(ran.artifacts.rglob("comparison-*.zip"))
