"""What the writer of an entry gets to know: what is left to do, and how to ask the app."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from restbench.catalog import Catalog, load_catalog
from restbench.commands.selection import Selection
from restbench.commands.serve import examples, serve
from restbench.commands.verify import left_to_do
from restbench.errors import UsageError
from restbench.system.repository import Repository, find_repository
from tests.made.small import small_repository
from tests.unit.fakes import FakeRuntime, World
from tests.unit.repositories import git

PYTHON = find_repository().frameworks / "python"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A checkout with Falcon on main, where this is a branch."""
    (tmp_path / "frameworks/python").mkdir(parents=True)
    for name in ("Dockerfile", "language.toml", "packages.py"):
        shutil.copy(PYTHON / name, tmp_path / "frameworks/python" / name)
    shutil.copytree(PYTHON / "falcon", tmp_path / "frameworks/python/falcon")
    shutil.copytree(find_repository().fixtures, tmp_path / "fixtures")
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "--quiet", "--message", "The first")
    git(tmp_path, "switch", "--quiet", "-c", "mine")
    return tmp_path


def left(root: Path, name: str = "python/falcon", since: str | None = "main") -> list[str]:
    """What is left to do, when everything has been committed."""
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--allow-empty", "--message", "Mine")
    catalog = load_catalog(Repository(root))
    entries = [catalog.entries[name]]
    return list(left_to_do(Selection(Repository(root), catalog, entries, [], FakeRuntime(World()), []), since))


def test_a_finished_entry_has_nothing_left(root: Path) -> None:
    (root / "frameworks/python/falcon/notes.md").write_text("more")
    assert left(root) == []


@pytest.mark.parametrize("mark", ["# step 6: workload = true", "# Step 1: its package", "# https://example.org/falcon"])
def test_the_files_with_marks_of_the_template_are_named(root: Path, mark: str) -> None:
    with (root / "frameworks/python/falcon/framework.toml").open("a") as file:
        file.write(f"{mark}\n")
    assert left(root, since=None) == ["python/falcon: steps of the template are left in framework.toml"]


def test_what_changes_outside_is_counted_where_it_is_not_shown(root: Path) -> None:
    for number in range(7):
        (root / f"fixtures/{number}.txt").write_text("x")
    shown = ", ".join(f"fixtures/{number}.txt" for number in range(5))
    assert left(root) == [f"changed outside of python/falcon: {shown} and 2 more"]


def test_a_name_that_is_no_utf_8_is_printed(root: Path) -> None:
    (root / os.fsdecode("café".encode("latin-1"))).write_text("x")
    (line,) = left(root)
    assert line.encode() == b"changed outside of python/falcon: caf"


@pytest.mark.parametrize("more", [[], ["eagle"]])
def test_the_first_entries_of_a_language_bring_the_languages_files(root: Path, more: list[str]) -> None:
    snake = root / "frameworks/snake"
    shutil.copytree(root / "frameworks/python", snake)
    for name in more:
        shutil.copytree(snake / "falcon", snake / name)
        manifest = snake / name / "framework.toml"
        manifest.write_text(manifest.read_text().replace('"Falcon"', f'"{name.title()}"'))
    assert left(root, "snake/falcon") == []


def test_a_revision_that_is_not_there_is_named(root: Path) -> None:
    with pytest.raises(UsageError, match="git diff failed: fatal: bad revision 'nowhere"):
        left(root, since="nowhere")


@pytest.mark.files
def test_no_entry_is_unfinished_and_each_takes_part_in_hello() -> None:
    catalog = load_catalog(find_repository())
    selection = Selection(find_repository(), catalog, catalog.ranked, [], FakeRuntime(World()), [])
    assert list(left_to_do(selection, None)) == []
    assert [entry.id for entry in catalog.ranked if not entry.variants("hello")] == []


def test_the_template_keeps_the_lint_rules(root: Path) -> None:
    shutil.copy(find_repository().root / "pyproject.toml", root)
    text = (PYTHON / "template/app.py.j2").read_text().replace("{{ title }}", "Demo").replace("{{ name }}", "demo")
    (root / "frameworks/python/falcon/demo.py").write_text(text)
    ruff = Path(sys.executable).with_name("ruff")
    for words in (["check"], ["format", "--check"]):
        ran = subprocess.run([ruff, *words, "frameworks"], cwd=root, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stdout


URL = "http://127.0.0.1:8080"


def commands(catalog: Catalog, name: str) -> list[str]:
    entry = catalog.entries[name]
    return list(examples(entry, entry.cells(list(catalog.suites)), URL, small_repository()))


def test_each_request_of_the_contract_has_one_command(catalog: Catalog) -> None:
    lines = commands(catalog, "python/falcon")
    assert f"curl -i '{URL}/hello_world'" in lines
    assert f"curl -i '{URL}/api/v1/sprint/raw/1'" in lines
    assert (
        "curl -i -X PUT -H 'content-type: application/json' --data-binary @fixtures/issue-tracker/update-task.json "
        f"'{URL}/api/v1/board/msgspec/1/task'"
    ) in lines
    assert f"curl -i '{URL}/json_serialization/msgspec?document_type=1'" in lines
    assert len(lines) == len(set(lines))
    assert not [line for line in lines if "{" in line]


def test_patterns_are_refused() -> None:
    with pytest.raises(
        UsageError, match=r"one framework is served at a time, and python/fa\* stands for python/falcon, "
    ):
        serve("python/fa*", "native", None)
