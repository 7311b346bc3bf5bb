"""Which harness measured: a hash of the files that figures depend on."""

import os
import shutil
from pathlib import Path

import pytest

from restbench import __version__
from restbench.errors import ResultsError
from restbench.measure.machine import CHECKOUT, MEASURING, is_measuring, measuring_hash
from restbench.system.files import files_hash
from restbench.system.git import commit, git, is_ancestor, version
from tests.unit import repositories


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for place in MEASURING:
        path = tmp_path / place
        if place.endswith("/"):
            path.mkdir(parents=True)
            (path / "a file").write_text(place)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(place)
    return tmp_path


@pytest.mark.parametrize("place", MEASURING)
def test_a_change_of_what_measures_changes_the_hash(checkout: Path, place: str) -> None:
    before = measuring_hash(checkout)
    changed = checkout / place / "a file" if place.endswith("/") else checkout / place
    changed.write_text("another")
    assert measuring_hash(checkout) != before


def test_nothing_else_changes_the_hash(checkout: Path) -> None:
    before = measuring_hash(checkout)
    for name in ("README.md.j2", "scripts/restbench/render/readme.py", "scripts/restbench/measure/__pycache__/x.pyc"):
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).write_text("another")
    assert measuring_hash(checkout) == before


def test_a_file_that_moves_changes_the_hash(checkout: Path) -> None:
    before = measuring_hash(checkout)
    shutil.move(checkout / "scripts/restbench/measure/a file", checkout / "scripts/restbench/measure/b file")
    assert measuring_hash(checkout) != before


def test_a_name_that_is_no_utf_8_changes_the_hash(checkout: Path) -> None:
    before, name = measuring_hash(checkout), os.fsdecode("café".encode("latin-1"))
    (checkout / "fixtures" / name).write_text("x")
    assert measuring_hash(checkout) != before
    assert files_hash([checkout / "fixtures" / name], checkout)


def test_every_place_is_in_this_checkout() -> None:
    assert all((CHECKOUT / place).exists() for place in MEASURING)
    assert is_measuring("scripts/wrk/scenario.lua")
    assert not is_measuring("requirements.txt.bak")


def test_the_commit_of_a_checkout_is_known_unless_its_files_changed(tmp_path: Path) -> None:
    assert commit(tmp_path) is None
    assert not is_ancestor(tmp_path, "HEAD", "HEAD")
    clone = repositories.a_clone(repositories.a_remote(tmp_path, {"a": "1"}), tmp_path / "clone")
    head = repositories.git(clone, "rev-parse", "HEAD")
    (clone / "untracked").write_text("x")
    assert commit(clone) == head
    (clone / "a").write_text("2")
    assert commit(clone) is None


def test_without_git_the_version_has_no_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert version() == __version__
    with pytest.raises(ResultsError, match="git status failed: git: No such file or directory"):
        git(tmp_path, "status")
