"""A renamed entry or variant keeps its figures, its history, its change records and its addresses."""

import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from restbench.board import build_board
from restbench.catalog import Catalog, load_catalog
from restbench.changes.chain import speed_of
from restbench.changes.published import bases_of
from restbench.changes.store import renamed
from restbench.compare.changes import base_of
from restbench.compare.versions import same_cell
from restbench.results.files import write_entry
from restbench.results.history import append_history, read_history
from restbench.results.history_lines import history_lines
from restbench.results.merge import LATEST, merge_results
from restbench.results.published import read_published
from restbench.results.renames import renames_of
from restbench.site.build import build_site
from restbench.site.pages import Content
from restbench.system.repository import Repository
from tests.unit.change_records import a_record
from tests.unit.records import START, a_cell, a_run, an_entry, baseline
from tests.unit.repositories import commit, git
from tests.unit.small import small_repository

OLD, NEW = "python/old-falcon", "python/falcon"


def with_lines(root: Path, *lines: str, entry: str = NEW) -> Repository:
    """The small repository, in which an entry's manifest begins with those lines."""
    shutil.copytree(small_repository().root, root, symlinks=True, dirs_exist_ok=True)
    manifest = root / "frameworks" / entry / "framework.toml"
    manifest.write_text("\n".join([*lines, manifest.read_text()]))
    return Repository(root)


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    lines = ('formerly = ["old-falcon", "serpent/falcon"]', 'formerly_variants = { msgspec = ["structs"] }')
    return load_catalog(with_lines(tmp_path / "repository", *lines)).check()


def test_figures_are_found_under_the_former_names(catalog: Catalog, tmp_path: Path) -> None:
    run = a_run()
    cells = [
        a_cell(run, "sprint", variant="structs"),
        a_cell(run, "userinfo", baseline=baseline([100], OLD, variant="structs")),
    ]
    write_entry(tmp_path, an_entry(OLD, run, cells))
    (result,) = read_published(tmp_path, renames_of(catalog)).values()
    assert result.entry == NEW
    assert [cell.variant for cell in result.cells] == ["msgspec", "raw"]
    assert result.cells[1].baseline
    assert result.cells[1].baseline.is_of(NEW, "msgspec")
    board = build_board(catalog, [result])
    assert {row.entry for suite in board.sections[0].suites for table in suite.tables for row in table.rows} == {NEW}


def test_the_next_run_moves_them_to_the_new_name(catalog: Catalog, tmp_path: Path) -> None:
    old, new = a_run("old"), a_run("new", START + timedelta(days=7))
    write_entry(tmp_path / LATEST, an_entry(OLD, old, [a_cell(old), a_cell(old, "sprint")]))
    merge_results([an_entry(NEW, new, [a_cell(new)])], {}, tmp_path, renames=renames_of(catalog))
    (path,) = (tmp_path / LATEST).rglob("*.json")
    assert path == tmp_path / LATEST / "python/falcon.json"
    (result,) = read_published(tmp_path / LATEST).values()
    assert {(cell.scenario, cell.run) for cell in result.cells} == {("hello_world", "new"), ("sprint", "old")}


def test_the_history_goes_on(catalog: Catalog, tmp_path: Path) -> None:
    old, new = a_run("old"), a_run("new", START + timedelta(days=7))
    append_history(tmp_path, history_lines(an_entry(OLD, old, [a_cell(old, "sprint", variant="structs")])))
    append_history(tmp_path, history_lines(an_entry(NEW, new, [a_cell(new, "sprint", variant="msgspec")])))
    history = read_history(tmp_path / "2026-03.jsonl", renames_of(catalog))
    assert [(line.entry, list(line.cells)) for line in history.entries] == [(NEW, ["issue-tracker/sprint/msgspec"])] * 2


def test_the_chain_goes_on(catalog: Catalog) -> None:
    records = [a_record(OLD, ratio=1.25, number=1), a_record(NEW, ratio=0.8, number=2)]
    found = renamed(records, renames_of(catalog))
    assert speed_of(found, NEW, "hello") == pytest.approx(1)
    assert [record.id for record in found] == [record.id for record in records]


def test_the_next_comparison_begins_where_the_old_name_ended(tmp_path: Path) -> None:
    root = tmp_path / "repository"
    git(tmp_path, "init", "--quiet", "--initial-branch=main", str(root))
    repository = with_lines(root)
    (root / "frameworks" / NEW).rename(root / "frameworks" / OLD)
    before = commit(root, {}, "under the old name")
    (root / "frameworks" / OLD).rename(root / "frameworks" / NEW)
    manifest = root / "frameworks" / NEW / "framework.toml"
    manifest.write_text('formerly = ["old-falcon"]\n' + manifest.read_text())
    commit(root, {}, "under the new name")
    catalog = load_catalog(repository).check()
    records = renamed([a_record(OLD, after=before)], renames_of(catalog))
    assert bases_of([catalog.entries[NEW]], catalog, {}, records, root).commits == {NEW: before}


def test_both_names_are_compared_as_one_entry(catalog: Catalog, tmp_path: Path) -> None:
    root = tmp_path / "base"
    repository = with_lines(root)
    (root / "frameworks" / NEW).rename(root / "frameworks" / OLD)
    suites = root / "frameworks" / OLD / "framework.toml"
    language = root / "frameworks/python/language.toml"
    language.write_text(language.read_text().replace('baseline = "falcon"', ""))
    assert suites.is_file()
    base = base_of(catalog.entries[NEW], load_catalog(repository))
    assert base
    assert base.name == "old-falcon"
    cell = next(c for c in catalog.entries[NEW].cells(["issue-tracker"]) if c.variant == "raw")
    found = same_cell(catalog.entries[NEW], cell, base)
    assert found
    assert (found.entry, found.variant) == (base.id, "raw")


def test_addresses_of_the_former_names_lead_on(catalog: Catalog) -> None:
    run = a_run()
    results = [an_entry(NEW, run), an_entry("python/starlette", run)]
    records = [a_record(NEW, ratio=1.0)]
    site = dict(build_site(Content(build_board(catalog, results), catalog, records, [], results, "https://e.org/r/")))
    for name in (OLD, "serpent/falcon"):
        assert f"framework/{NEW}/" in site[f"framework/{name}/index.html"].decode()
        assert site[f"badges/{name}/slowdown.svg"] == site[f"badges/{NEW}/slowdown.svg"]
        assert f"feeds/{name}.xml" in site
        assert site[f"downloads/results/{name}.json"] == site[f"downloads/results/{NEW}.json"]


@pytest.mark.parametrize(
    ("lines", "mistake"),
    [
        (['formerly = ["starlette"]'], "formerly: there is an entry python/starlette now; remove the name"),
        (['formerly = ["Old Falcon"]'], "formerly: 'python/Old Falcon' is no name of a folder"),
        (['formerly_variants = { msgspec = ["raw"] }'], "formerly_variants: raw is a variant that the entry has"),
        (['formerly_variants = { structs = ["x"] }'], "formerly_variants: the entry has no variant structs"),
        (['formerly_variants = { msgspec = ["x"], raw = ["x"] }'], "x cannot have become both msgspec and raw"),
    ],
)
def test_a_former_name_that_cannot_be_is_told(tmp_path: Path, lines: list[str], mistake: str) -> None:
    (line,) = load_catalog(with_lines(tmp_path / "repository", *lines)).mistakes[NEW]
    assert mistake in line


def test_two_entries_cannot_have_had_one_name(tmp_path: Path) -> None:
    repository = with_lines(tmp_path / "repository", 'formerly = ["old"]', entry="python/starlette")
    manifest = repository.frameworks / NEW / "framework.toml"
    manifest.write_text('formerly = ["old"]\n' + manifest.read_text())
    assert "formerly: python/old is claimed by python/falcon too" in str(load_catalog(repository).mistakes)
