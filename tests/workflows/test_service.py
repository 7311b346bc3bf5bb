"""Tests the workflows: a matrix of real Docker builds under real load, artifacts, the commit on main, gh-pages."""

import io
import json
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from restbench.compare.models import Comparison
from tests.unit.fake_github import FakeGitHub
from tests.unit.repositories import files_of, git
from tests.workflows.runner import REPOSITORY, Ran, Service

pytestmark = [
    pytest.mark.slow,
    pytest.mark.docker,
    pytest.mark.extended,
    pytest.mark.alone,
    pytest.mark.timeout(3600),
    pytest.mark.needs("docker", "act", "node", "npm"),
]

# These tests do not change Falcon, because other tests use its image
ENTRIES = ("python/falcon", "python/starlette")
NUMBER = 7
INPUTS = {"frameworks": " ".join(ENTRIES), "suites": "hello", "profile": "quick"}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    yield Service(tmp_path_factory.mktemp("service"))


def dispatched(service: Service, branch: str = "main", **inputs: str) -> Ran:
    """Runs the workflow of the board, as a maintainer starts it by hand. Such an event names no commit."""
    event = {"inputs": {**INPUTS, **inputs}, "ref": f"refs/heads/{branch}"}
    return service.run("benchmark", "workflow_dispatch", event)


def history(service: Service) -> dict[str, list[dict[str, Any]]]:
    text = git(service.remote, "show", "gh-pages:dev/bench/data.js").removeprefix("window.BENCHMARK_DATA = ")
    entries: dict[str, list[dict[str, Any]]] = json.loads(text)["entries"]
    return entries


def measured_entries(point: dict[str, Any]) -> set[str]:
    return {bench["name"].split(" · ")[0] for bench in point["benches"]}


def published(service: Service, entry: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(git(service.remote, "show", f"main:results/latest/{entry}.json"))
    return found


@pytest.fixture(scope="module")
def first(service: Service) -> Ran:
    ran = dispatched(service)
    assert ran.code == 0, ran.log[-6000:]
    return ran


def test_a_run_commits_results_and_readme_to_main_once(service: Service, first: Ran) -> None:
    assert git(service.remote, "log", "--format=%an: %s", "main").splitlines()[1:] == [
        "github-actions[bot]: What there is"
    ]
    changed = git(service.remote, "diff", "--name-only", "main~1", "main").splitlines()
    assert "README.md" in changed
    assert all(path == "README.md" or path.startswith("results/") for path in changed)
    for entry in ENTRIES:
        runs = published(service, entry)["runs"].values()
        assert any(run["target"] == "docker" and run["profile"] == "quick" for run in runs)
    assert "2 of 2 entries brought results." in first.log


def test_gh_pages_has_the_history_the_board_and_an_index(service: Service, first: Ran) -> None:
    assert {"index.html", "board.html", "dev/bench/data.js", "dev/bench/index.html"} <= set(
        files_of(service.remote, "gh-pages")
    )
    assert 'href="dev/bench/"' in git(service.remote, "show", "gh-pages:index.html")
    entries = history(service)
    assert set(entries) == {"Throughput", "CPU per request"}
    assert all(measured_entries(point) == set(ENTRIES) for points in entries.values() for point in points)
    # the commit of the results is the newest one of main, but it was not measured
    measured = git(service.remote, "rev-parse", "main~1")
    assert {point["commit"]["id"] for points in entries.values() for point in points} == {measured}


def test_a_run_of_one_entry_publishes_that_entry(service: Service, first: Ran) -> None:
    git(service.clone, "pull", "--quiet", "origin", "main")
    ran = dispatched(service, frameworks=ENTRIES[1], profile="smoke")
    assert ran.code == 0, ran.log[-6000:]
    assert "1 of 1 entries brought results." in ran.log
    assert git(service.remote, "log", "-1", "--format=%s", "main").endswith(", 1 entry")


def test_what_another_branch_measures_is_not_published(service: Service, first: Ran) -> None:
    main, pages = (git(service.remote, "rev-parse", name) for name in ("main", "gh-pages"))
    git(service.clone, "checkout", "--quiet", "-B", "other")
    ran = dispatched(service, "other", frameworks=ENTRIES[0], profile="smoke")
    git(service.clone, "checkout", "--quiet", "main")
    assert ran.code == 0, ran.log[-6000:]
    assert list(ran.artifacts.rglob("job-python-falcon.zip"))
    assert (main, pages) == tuple(git(service.remote, "rev-parse", name) for name in ("main", "gh-pages"))


def test_an_entry_that_does_not_build_costs_no_other_anything(service: Service, first: Ran) -> None:
    """In the next run one entry is broken. The board has the reason, and the history of the other entry goes on."""
    git(service.clone, "pull", "--quiet", "origin", "main")
    before = [len(points) for points in history(service).values()]
    broken = service.clone / "frameworks/python/starlette/requirements.txt"
    broken.write_text(broken.read_text() + "no-such-package-anywhere==1.0 --hash=sha256:" + "0" * 64 + "\n")
    service.commit("A mistake")
    git(service.clone, "push", "--quiet", "origin", "main")
    ran = dispatched(service)
    assert ran.code != 0  # the job is red
    failed = [cell for cell in published(service, "python/starlette")["cells"] if "failure" in cell]
    assert failed
    assert all(cell["failure"]["check"] == "build" and cell["last_good"] for cell in failed)
    entries = history(service)
    assert [len(points) for points in entries.values()] == [count + 1 for count in before]
    assert [measured_entries(points[-1]) for points in entries.values()] == [{"python/falcon"}] * 2
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
    assert "### Starlette (python/starlette)" in summary
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
    assert "### Starlette (python/starlette)" in body


def test_a_pull_request_that_changes_no_entry_measures_nothing(service: Service, first: Ran) -> None:
    with branch(service) as base:
        (service.clone / "docs/more.md").write_text("More words.\n")
        service.commit("Words")
        ran = opened(service, base)
    assert ran.code == 0, ran.log[-6000:]
    assert not list(ran.artifacts.rglob("comparison-*.zip"))
