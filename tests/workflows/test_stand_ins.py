"""The stand-ins for actions have the inputs of the real actions, and do what they do.

The stand-ins for artifacts and for the history have files of tests of their own.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from restbench.system.repository import find_repository
from tests.unit.repositories import a_clone, a_remote, git, push
from tests.workflows.runner import STAND_INS
from tests.workflows.stand_ins import definition, ran_with_bash


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """The folder in which a step runs."""
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


def steps() -> Iterator[tuple[str, dict[str, Any]]]:
    """Each step of our workflows and actions that uses an action of others: the action's folder, and its inputs."""
    for path in sorted((find_repository().root / ".github").rglob("*.yml")):
        document = yaml.safe_load(path.read_text())
        jobs = [*document.get("jobs", {}).values(), document.get("runs", {})]
        for step in [step for job in jobs for step in job.get("steps", [])]:
            name, at, _ = step.get("uses", "").partition("@")
            if at:
                yield name.partition("/")[2], step.get("with", {})


def test_stand_ins_have_all_inputs_that_our_workflows_give() -> None:
    """act does the checkouts without ref itself."""
    found = [(action, given) for action, given in steps() if action != "checkout" or "ref" in given]
    assert {action for action, _ in found} == {
        str(path.parent.relative_to(STAND_INS)) for path in STAND_INS.rglob("action.yml")
    }
    for action, given in found:
        known = definition(action)["inputs"]
        assert set(given) <= set(known), action
        required = {name for name, about in known.items() if about.get("required") and "default" not in about}
        assert required <= set(given), action


def test_a_checkout_of_a_branch_has_the_newest_commit_alone(tmp_path: Path, work: Path) -> None:
    remote = a_remote(tmp_path, {"README.md": "1"})
    newest = push(a_clone(remote, tmp_path / "clone"), {"README.md": "2"})
    address = {"RESTBENCH_REMOTE": f"file://{remote}"}
    said = ran_with_bash("checkout", work, address, {"ref": "main", "persist-credentials": "false"})
    assert said.returncode == 0, said.stderr
    assert git(work, "rev-list", "HEAD") == newest
    assert git(work, "branch", "--show-current") == "main"
    assert (work / "README.md").read_text() == "2"


def test_a_checkout_keeps_its_credentials_unless_it_is_told_not_to(work: Path) -> None:
    """A workflow that forgets it shall not pass here."""
    assert ran_with_bash("checkout", work, {}, {"ref": "main"}).returncode == 1


def test_where_a_cache_has_nothing_its_output_is_empty() -> None:
    assert definition("cache/restore")["outputs"]["cache-hit"]["value"] == ""


@pytest.mark.parametrize("given", [{}, {"source": "{{defaultContext}}"}])
def test_an_image_is_built_from_the_work_tree_only_where_that_is_said(work: Path, given: dict[str, str]) -> None:
    said = ran_with_bash("bake-action", work, {}, {"files": "bake.json", "targets": "own", **given})
    assert said.returncode == 1
    assert "without source: ." in said.stdout
