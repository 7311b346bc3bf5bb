"""The entries that the newest commits touched, as `make test-touched` verifies them."""

import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from restbench.catalog import Catalog, load_catalog
from restbench.system.repository import find_repository
from tests import touched as module
from tests.touched import MOST, OTHERS, touched
from tests.unit.repositories import ENVIRONMENT, git

NOW = datetime(2026, 3, 10, tzinfo=UTC)
FALCON = "frameworks/python/falcon/app.py"
AXUM = "frameworks/rust/axum/src/main.rs"


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog(find_repository())


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(module, "remote_of", lambda _entry: None)
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    return tmp_path


def commit(root: Path, *paths: str, days_ago: float = 0) -> None:
    """A commit that changes the files, made so many days before NOW."""
    for path in paths:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{file.read_text() if file.exists() else ''}x")
    git(root, "add", "--all")
    date = (NOW - timedelta(days=days_ago)).isoformat()
    dated = {**ENVIRONMENT, "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    subprocess.run(["git", "commit", "--quiet", "--message", "A change"], cwd=root, env=dated, check=True)


def test_entries_are_taken_last_touched_first_and_one_of_each_of_some_other_languages(
    root: Path, catalog: Catalog
) -> None:
    commit(root, FALCON, days_ago=1)
    commit(root, AXUM, "README.md", days_ago=0.5)
    commit(root, "docs/SITE.md")
    found = touched(root, catalog)
    assert found.entries == ["rust/axum", "python/falcon"]
    languages = {name.partition("/")[0] for name in found.entries + found.others}
    assert len(languages) == len(found.entries) + OTHERS
    assert found.in_images == found.entries + found.others
    assert found.left_out == {}


def test_other_languages_take_turns_by_the_day_until_each_had_one(root: Path, catalog: Catalog) -> None:
    languages = {entry.language.name for entry in catalog.entries.values()}
    seen: set[str] = set()
    for day in range(-(-len(languages) // OTHERS)):
        commit(root, "README.md", days_ago=10 - day)
        seen |= {name.partition("/")[0] for name in touched(root, catalog).others}
    assert seen == languages


def test_what_was_not_touched_runs_natively_where_there_are_no_images(
    root: Path, catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(root, AXUM)
    found = touched(root, catalog)
    monkeypatch.setattr(module, "lacking", lambda _need: None)
    assert found.natively == ["rust/axum"]
    monkeypatch.setattr(module, "lacking", lambda need: f"no {need}")
    assert found.natively == ["rust/axum", *found.others]


def test_a_day_counts_back_from_the_newest_commit(root: Path, catalog: Catalog) -> None:
    commit(root, AXUM, days_ago=1.1)
    commit(root, "frameworks/rust/actix/src/main.rs", days_ago=1)
    commit(root, "README.md")
    assert touched(root, catalog).entries == ["rust/actix"]


def test_shared_files_touch_all_entries_of_their_language_and_few_are_taken(root: Path, catalog: Catalog) -> None:
    commit(root, AXUM, days_ago=1)
    commit(root, "frameworks/python/shared/source.py")
    found = touched(root, catalog)
    python = [entry.id for entry in catalog.ranked if entry.language.name == "python"]
    assert found.entries == python[:MOST]
    assert not any(name.startswith("python/") for name in found.others)
    assert found.left_out == dict.fromkeys(python[MOST:], f"{MOST} entries were touched later")
    assert [name for name in found.in_images if name.startswith("python/")] == python[:1]


def test_a_merge_touched_what_it_brought(root: Path, catalog: Catalog) -> None:
    commit(root, "README.md", days_ago=20)
    git(root, "switch", "--quiet", "--create", "branch")
    commit(root, AXUM, days_ago=15)
    git(root, "switch", "--quiet", "main")
    commit(root, "README.md", days_ago=1)
    git(root, "merge", "--quiet", "--no-ff", "--message", "Merge", "branch")
    assert touched(root, catalog).entries[0] == "rust/axum"


def test_what_cannot_be_had_is_named_and_gives_its_place_to_another(
    root: Path, catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Gone:
        def unreachable_reason(self) -> str:
            return "cannot be reached"

    monkeypatch.setattr(module, "remote_of", lambda entry: Gone() if entry.id == "rust/actix" else None)
    commit(root, "frameworks/rust/actix/src/main.rs")
    found = touched(root, catalog)
    assert found.left_out == {"rust/actix": "cannot be reached"}
    assert found.entries == []
    seen = set(found.others)
    for day in (1, 2):
        commit(root, "README.md", days_ago=-day)
        seen |= set(touched(root, catalog).others)
    assert [name for name in seen if name.startswith("rust/")] == ["rust/axum"]
