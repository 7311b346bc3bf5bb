"""A renamed entry keeps its figures, its history, its change records and its addresses."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from restbench.catalog import load_catalog
from restbench.catalog.load import MOVED
from restbench.changes.chain import speed_of
from restbench.changes.published import bases_of
from restbench.changes.records import CHANGES, append_records, read_records
from restbench.changes.regressions import TRIAGE, read_triage, unknown_ids
from restbench.changes.touched import BASE, base_of
from restbench.cli import run
from restbench.results.files import write_entry
from restbench.results.history import append_history, history_lines
from restbench.results.merge import HISTORY, LATEST, LINKS
from restbench.site.build import build_site
from restbench.site.pages import Content
from restbench.system.repository import Repository
from tests.made.changes import a_record
from tests.made.records import an_entry, beside, own_baseline
from tests.made.small import small_board, small_repository
from tests.unit.repositories import commit, git

OLD, NEW, OTHER, GONE = "python/falcon", "python/hawk", "python/litestar", "python/gone"
RECORDS = [a_record(OLD, ratio=1.25), a_record(OTHER, ratio=1.5, number=2), a_record(OLD, ratio=0.8, number=3)]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """The small repository with results. What is renamed is the baseline of its language."""
    made = Repository(tmp_path)
    shutil.copytree(small_repository().root, made.root, symlinks=True, dirs_exist_ok=True)
    for result in (an_entry(OLD, cells=[own_baseline(OLD)]), an_entry(OTHER, cells=[beside(1.5, OLD)]), an_entry(GONE)):
        write_entry(made.results / LATEST, result)
        append_history(made.results / HISTORY, history_lines(result))
    write_entry(made.results / LINKS, an_entry(OLD, cells=[own_baseline(OLD)]))
    append_records(made.results / CHANGES, RECORDS)
    (made.results / TRIAGE).write_text(f'["{RECORDS[0].id}"]\nverdict = "expected"\nwhy = "so"\n')
    git(made.root, "init", "--quiet", "--initial-branch=main")
    monkeypatch.setenv("RESTBENCH_ROOT", str(made.root))
    assert run(["render"]) == 0
    commit(made.root, {}, "before")
    return made


def data(repository: Repository) -> dict[str, str]:
    """The files of results that are no pages, by path."""
    paths = [path for path in repository.results.rglob("*.*") if path.suffix != ".md"]
    return {str(path.relative_to(repository.results)): path.read_text() for path in paths}


def test_everything_goes_on_under_the_new_name(repository: Repository) -> None:
    before = data(repository)
    assert run(["rename", OLD, NEW]) == 0
    assert data(repository) == {path.replace(OLD, NEW): text.replace(OLD, NEW) for path, text in before.items()}
    records = read_records(repository.results / CHANGES)
    assert speed_of(records, NEW, "hello") == pytest.approx(speed_of(RECORDS, OLD, "hello"))
    assert unknown_ids(read_triage(repository.results / TRIAGE), records) == []
    catalog = load_catalog(repository).check()
    assert catalog.entries[NEW] in catalog.baselines
    assert catalog.selections.default[0] == NEW
    assert git(repository.root, "log", "--format=%s") == "before"


@pytest.mark.parametrize("name", [OLD, "python/flask"], ids=["a baseline", "code that another entry runs"])
def test_a_name_that_comes_back_leaves_nothing_but_addresses(repository: Repository, name: str) -> None:
    for old, new in ((name, NEW), (NEW, "python/kestrel"), ("python/kestrel", name)):
        assert run(["rename", old, new]) == 0
        commit(repository.root, {}, new)
        catalog = load_catalog(repository).check()
    assert git(repository.root, "diff", "--name-only", "HEAD~3") == f"frameworks/{MOVED}"
    assert catalog.moved == {NEW: name, "python/kestrel": name}


def test_results_follow_a_folder_that_was_moved_before(repository: Repository) -> None:
    (repository.frameworks / OTHER).rename(repository.frameworks / NEW)
    commit(repository.root, {}, "moved")
    assert run(["rename", OTHER, NEW]) == 0
    assert f"{LATEST}/{NEW}.json" in data(repository)


def test_the_next_comparison_begins_where_the_old_name_ended(repository: Repository) -> None:
    root, there = repository.root, load_catalog(repository)
    before = git(root, "rev-parse", "HEAD")
    assert run(["rename", OLD, NEW]) == 0
    commit(root, {}, "after")
    catalog = load_catalog(repository).check()
    entry = catalog.entries[NEW]
    assert bases_of([entry], catalog, {}, [a_record(NEW, after=before)], root).commits == {NEW: before}
    assert base_of(entry, catalog, there) == replace(there.entries[OLD], revision=BASE, suites=entry.suites)


def test_addresses_of_the_former_name_lead_on(repository: Repository) -> None:
    assert run(["rename", OLD, NEW]) == 0
    catalog, records, results = load_catalog(repository).check(), [a_record(NEW, ratio=1.0)], [an_entry(NEW)]
    site = dict(build_site(Content(small_board(), catalog, records, [], results, "https://e.org/r/")))
    assert f"framework/{NEW}/" in site[f"framework/{OLD}/index.html"].decode()
    for path in ("badges/{}/slowdown.svg", "badges/{}/slowdown.json", "feeds/{}.xml", "downloads/results/{}.json"):
        assert site[path.format(OLD)] == site[path.format(NEW)]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (OLD, OTHER, f"frameworks/{OTHER} is there already: choose another name"),
        (OLD, OLD, f"{OLD} is called so already: name another one"),
        (OLD, GONE, f"there are results of {GONE} already: choose another name"),
        (GONE, NEW, f"there is no entry {GONE}"),
        ("python/falcom", NEW, "there is no entry python/falcom; did you mean python/falcon?"),
        (OLD, "hawk", "hawk: its folder has to have a name of small letters, digits and single hyphens"),
        (OLD, r"python/Old \Hawk", r"python/Old \Hawk: its folder has to have a name of small letters"),
        (OLD, "rusty/hawk", "there is no language rusty; did you mean rust?"),
    ],
)
def test_what_cannot_be_is_one_line_and_changes_nothing(
    repository: Repository, capsys: pytest.CaptureFixture[str], old: str, new: str, message: str
) -> None:
    assert run(["rename", old, new]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(message)
    assert git(repository.root, "status", "--porcelain") == ""


@pytest.mark.parametrize("path", ["results/triage.toml", "frameworks/python/falcon/new.py"])
def test_so_are_changes_that_are_not_committed(
    repository: Repository, capsys: pytest.CaptureFixture[str], path: str
) -> None:
    (repository.root / path).write_text("")
    assert run(["rename", OLD, NEW]) == 2
    assert "that are not committed: commit them first" in capsys.readouterr().err
    assert git(repository.root, "status", "--porcelain").endswith(path)


@pytest.mark.parametrize(
    ("line", "mistake"),
    [
        ('"python/starlette" = "python/falcon"', "moved: there is an entry python/starlette now; remove its line"),
        ('"../x" = "python/falcon"', "String should match pattern"),
    ],
)
def test_a_former_name_that_cannot_be_is_reported(repository: Repository, line: str, mistake: str) -> None:
    (repository.frameworks / MOVED).write_text(f"[moved]\n{line}\n")
    catalog = load_catalog(repository)
    assert mistake in str(catalog.mistakes["moved"])
    assert catalog.moved == {}
