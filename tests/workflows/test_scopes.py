"""Runs the workflow of the tests for changes of several kinds: only those jobs run that the change needs."""

import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.unit.repositories import git
from tests.workflows.runner import MARKS, Ran, Service

pytestmark = MARKS

ENTRY = "python/starlette"
_ENDED = re.compile(r"^\[tests/([^\]]+?) *\] .*Job (succeeded|failed)$", re.MULTILINE)


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """The workflows run as a user that may not enter pytest's folders."""
    with TemporaryDirectory(prefix="restbench-scopes-") as folder:
        yield Service(Path(folder))


def run_for(service: Service, path: str, text: str) -> Ran:
    """Runs the workflow of a pull request that adds this text to the end of a file."""
    git(service.clone, "checkout", "--quiet", "-B", "mine", "origin/main")
    file = service.clone / path
    file.write_text(file.read_text() + text)
    head, base = service.commit(f"Change {path}"), git(service.clone, "rev-parse", "HEAD~1")
    event = {"number": 3, "pull_request": {"number": 3, "head": {"sha": head}, "base": {"sha": base, "ref": "main"}}}
    return service.run("tests", "pull_request", event)


def jobs(ran: Ran) -> dict[str, str]:
    """The jobs that ran, and how they ended."""
    return dict(_ENDED.findall(ran.log))


def test_a_document_is_only_linted(service: Service) -> None:
    ran = run_for(service, "docs/GLOSSARY.md", "\nMore words.\n")
    assert ran.code == 0, ran.log[-6000:]
    assert jobs(ran) == dict.fromkeys(["plan", "lint", "tests are ok"], "succeeded")
    assert "documents alone changed: the harness is not tested" in ran.log


def test_an_entry_is_verified_in_its_image(service: Service) -> None:
    ran = run_for(service, f"frameworks/{ENTRY}/app.py", "\n# nothing that changes anything\n")
    assert ran.code == 0, ran.log[-6000:]
    assert jobs(ran) == dict.fromkeys(["plan", "lint", f"verify {ENTRY}", "tests are ok"], "succeeded")
    assert "checks kept, 0 broken (docker)" in ran.log


def test_an_entry_that_breaks_a_rule_is_not_ok(service: Service) -> None:
    ran = run_for(service, f"frameworks/{ENTRY}/app.py", "\nraise SystemExit('wrong')\n")
    assert ran.code == 1
    assert jobs(ran)["tests are ok"] == "failed"
    assert jobs(ran)[f"verify {ENTRY}"] == "failed"
