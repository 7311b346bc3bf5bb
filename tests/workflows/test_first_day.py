"""Follows the first part of SERVICE.md as a new maintainer does, by the commands that stand there.

GitHub's own command-line program starts the workflows, by an API of this machine. What it started, act runs.
"""

import json
import subprocess
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from restbench.catalog import load_catalog
from restbench.ci.git import AUTHOR
from restbench.system.repository import find_repository
from tests.unit.fake_github import FakeGitHub
from tests.unit.repositories import files_of, git
from tests.workflows.runner import MARKS, REPOSITORY, Ran, Service

pytestmark = [*MARKS, pytest.mark.needs("gh", "make")]

FIRST_PART = (find_repository().root / "docs/SERVICE.md").read_text().partition("\n## The workflows\n")[0]
ENTRY, TAKEN_OFF = "python/starlette", "python/muffin"


@dataclass
class Maintainer:
    """Who follows the document, in a clone of the repository, as the user that also runs the workflows."""

    service: Service
    github: FakeGitHub
    socket: Path

    def types(self, *documented: str, **instead: str) -> None:
        """Runs commands that stand in the document, with other words in the place of some of its own."""
        for command in documented:
            assert command in FIRST_PART, f"SERVICE.md does not say: {command}"
            for word, other in instead.items():
                command = command.replace(word, other)
            self._runs(command)

    def merges(self, message: str) -> None:
        """Merges what the clone has to main."""
        self._runs(f"git add --all && git commit --quiet --message '{message}' && git push --quiet origin HEAD:main")

    def _runs(self, command: str) -> None:
        user = self.service.user
        self.socket.with_name("config.yml").write_text(f"http_unix_socket: {self.socket}\n")
        user.own(self.service.remote.parent)
        environment = {
            **user.environment(),
            **AUTHOR,
            "GH_CONFIG_DIR": str(self.socket.parent),
            "GH_TOKEN": "any",
            "GH_REPO": REPOSITORY,
            "GIT_EDITOR": "true",
        }
        ran = subprocess.run(
            ["bash", "-o", "errexit", "-c", command],
            cwd=self.service.clone,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            **user.identity,
        )
        assert ran.returncode == 0, f"{command}\n{ran.stdout[-2000:]}{ran.stderr[-2000:]}"

    def sees(self, job: str = "") -> Ran:
        """The run of the workflow that was started last; with `job`, that one and those that it needs."""
        started = self.github.dispatches.pop()
        assert not self.github.dispatches, "one workflow is started at a time"
        git(self.service.clone, "fetch", "--quiet", "origin")
        git(self.service.clone, "checkout", "--quiet", "--force", "-B", started.branch, f"origin/{started.branch}")
        event = {"inputs": {"profile": "full", **started.inputs}, "ref": f"refs/heads/{started.branch}"}
        return self.service.run(
            started.workflow,
            "workflow_dispatch",
            event,
            token="any",  # noqa: S106
            job=job,
            GITHUB_API_URL=self.github.url,
        )


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with TemporaryDirectory(prefix="restbench-day-") as folder:
        yield Service(Path(folder))


@pytest.fixture(scope="module")
def maintainer(service: Service) -> Iterator[Maintainer]:
    folder = service.remote.parent / "gh"
    folder.mkdir()
    with FakeGitHub(1, 1, "0" * 40, REPOSITORY) as github, github.running(), github.answering_at(folder / "api"):
        github.workflows = ["benchmark", "watch"]
        yield Maintainer(service, github, folder / "api")


def artifact(ran: Ran, name: str, file: str) -> Any:
    """A JSON file of an artifact."""
    (archive,) = ran.artifacts.rglob(f"{name}.zip")
    with zipfile.ZipFile(archive) as packed:
        return json.loads(packed.read(file))


def page(service: Service, entry: str) -> str:
    """The page of an entry on the site."""
    return git(service.remote, "show", f"gh-pages:framework/{entry}/index.html")


def test_a_try_on_a_branch_publishes_nothing(service: Service, maintainer: Maintainer) -> None:
    maintainer.types(
        "git push origin main:try",
        "gh workflow run benchmark --ref try -f frameworks=python/falcon -f suites=hello -f profile=smoke",
    )
    ran = maintainer.sees()
    assert ran.code == 0, ran.log[-6000:]
    assert artifact(ran, "job-python-falcon", "results/python/falcon.json")["cells"]
    assert git(service.remote, "log", "--format=%s", "main") == "What there is"
    assert git(service.remote, "branch", "--list", "gh-pages") == ""


def test_one_entry_is_published(service: Service, maintainer: Maintainer) -> None:
    maintainer.types(f"gh workflow run benchmark -f frameworks={ENTRY}")
    ran = maintainer.sees()
    assert ran.code == 0, ran.log[-6000:]
    assert git(service.remote, "log", "-1", "--format=%s", "main").startswith("Results of ")
    assert git(service.remote, "log", "-1", "--format=%s", "main").endswith(", 1 entry")
    suites = {cell["suite"] for cell in artifact(ran, "job-python-starlette", f"results/{ENTRY}.json")["cells"]}
    assert len(suites) > 1, "all suites are measured"
    assert "No longer on the board" not in page(service, ENTRY)


def test_all_entries_have_jobs(maintainer: Maintainer) -> None:
    maintainer.types("gh workflow run benchmark")
    ran = maintainer.sees(job="plan")
    assert ran.code == 0, ran.log[-6000:]
    planned = {entry for job in artifact(ran, "plan", "plan.json")["jobs"] for entry in job["frameworks"]}
    assert planned == {entry.id for entry in load_catalog(find_repository()).ranked}


def test_the_daily_watch_is_green(maintainer: Maintainer) -> None:
    service = maintainer.service
    event: dict[str, Any] = {"schedule": "41 5 * * *"}
    ran = service.run(
        "watch",
        "schedule",
        event,
        token="any",  # noqa: S106
        job="watch",
        GITHUB_API_URL=maintainer.github.url,
    )
    assert ran.code == 0, ran.log[-6000:]


def test_a_publication_is_taken_back(service: Service, maintainer: Maintainer) -> None:
    before = git(service.remote, "show", f"main~1:results/latest/{ENTRY}.json")
    maintainer.types("git revert --no-edit COMMIT", COMMIT=git(service.remote, "rev-parse", "main"))
    git(service.clone, "push", "--quiet", "origin", "HEAD:main")
    assert git(service.remote, "show", f"main:results/latest/{ENTRY}.json") == before


def test_an_entry_is_taken_off_the_board(service: Service, maintainer: Maintainer) -> None:
    title = load_catalog(find_repository()).entries[TAKEN_OFF].title
    assert title in git(service.remote, "show", "main:README.md")
    maintainer.types("git rm -r frameworks/python/name && make render", **{"python/name": TAKEN_OFF})
    maintainer.merges("Take an entry off the board")
    assert title not in git(service.remote, "show", "main:README.md")


def test_the_next_run_makes_the_site_anew(service: Service, maintainer: Maintainer) -> None:
    """What was taken back is measured again, and the pages of what was taken off say so."""
    maintainer.types(f"gh workflow run benchmark -f frameworks={ENTRY} -f suites=hello")
    ran = maintainer.sees()
    assert ran.code == 0, ran.log[-6000:]
    assert "No longer on the board" in page(service, TAKEN_OFF)
    assert "No longer on the board" not in page(service, ENTRY)
    assert f"framework/{TAKEN_OFF}/index.html" in files_of(service.remote, "gh-pages")
