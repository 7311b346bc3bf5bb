"""What an entry is compared with after a change: the newest commit for which it is known how fast it was."""

import shutil
from datetime import timedelta
from pathlib import Path
from subprocess import CalledProcessError

import pytest

from restbench.catalog import Catalog, load_catalog
from restbench.changes.published import Bases, Uncompared, bases_of, commits_measured
from restbench.changes.records import ChangeRecord
from restbench.results.history import append_history, history_lines
from restbench.results.models import EntryResult
from restbench.system.repository import Repository
from tests.made.changes import a_record
from tests.made.records import MACHINE, START, a_cell, a_failed_cell, a_run, an_entry
from tests.made.small import small_repository
from tests.unit.repositories import commit, git

FALCON, FLASK = "python/falcon", "python/flask"
WEEK = timedelta(weeks=1)
LATER = "20260308T093000Z-00000002"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A checkout of the small catalogue, with one commit."""
    folder = tmp_path / "checkout"
    shutil.copytree(small_repository().root, folder, symlinks=True)
    git(folder, "init", "--quiet", "--initial-branch=main")
    commit(folder, {}, "The first")
    return folder


def head(root: Path) -> str:
    return git(root, "rev-parse", "HEAD")


def published(entry: str, at: str | None) -> EntryResult:
    run = a_run(target="docker", machine=MACHINE.model_copy(update={"commit": at}))
    return an_entry(entry, run, [a_cell(run)])


def bases(root: Path, *results: EntryResult, records: list[ChangeRecord] | None = None) -> Bases:
    catalog: Catalog = load_catalog(Repository(root))
    entries = [catalog.entries[FALCON], catalog.entries[FLASK]]
    measured = commits_measured([FALCON, FLASK], {each.entry: each for each in results}, root / "results/history")
    return bases_of(entries, catalog, measured, records or [], root)


def noted(root: Path, *results: EntryResult) -> None:
    """Writes the history of published results."""
    append_history(root / "results/history", [line for result in results for line in history_lines(result)])


def test_an_entry_that_changed_is_compared_with_its_last_published_commit(root: Path) -> None:
    first = head(root)
    commit(root, {f"frameworks/{FALCON}/app.py": "changed"}, "A change of one entry")
    found = bases(root, published(FALCON, first), published(FLASK, first))
    assert found == Bases({FALCON: first}, {})


def test_shared_files_change_all_entries_of_a_language(root: Path) -> None:
    first = head(root)
    commit(root, {"frameworks/python/shared/data.py": "changed"}, "A change of all")
    assert set(bases(root, published(FALCON, first), published(FLASK, first)).commits) == {FALCON, FLASK}


def test_a_change_of_anything_else_is_no_change_of_an_entry(root: Path) -> None:
    first = head(root)
    commit(root, {"scripts/restbench/measure/gate.py": "changed", "README.md": "words"}, "The harness")
    assert bases(root, published(FALCON, first)) == Bases()


def test_the_end_of_the_records_counts_more_than_what_was_published(root: Path) -> None:
    """A run of the whole board is newer than the last comparison, and has measured a change that was not compared."""
    compared = head(root)
    published_at = commit(root, {f"frameworks/{FALCON}/app.py": "changed"}, "A change that was not compared")
    record = a_record(FALCON, after=compared, target="docker")
    found = bases(root, published(FALCON, published_at), records=[record])
    assert found.commits == {FALCON: compared}


def test_an_entry_that_was_never_published_has_no_base(root: Path) -> None:
    commit(root, {f"frameworks/{FALCON}/app.py": "changed"}, "A change")
    assert bases(root) == Bases()


def test_results_that_name_no_commit_and_native_results_give_no_base(root: Path) -> None:
    run = a_run(machine=MACHINE.model_copy(update={"commit": head(root)}))
    commit(root, {f"frameworks/{FALCON}/app.py": "changed", f"frameworks/{FLASK}/app.py": "changed"}, "A change")
    assert bases(root, an_entry(FALCON, run, [a_cell(run)]), published(FLASK, None)) == Bases()


def test_a_run_in_which_the_entry_failed_is_no_base(root: Path) -> None:
    first = head(root)
    commit(root, {f"frameworks/{FALCON}/app.py": "changed"}, "A change")
    run = a_run(target="docker", machine=MACHINE.model_copy(update={"commit": first}), started=START)
    assert bases(root, an_entry(FALCON, run, [a_failed_cell(run)])) == Bases()


def test_a_commit_that_is_no_longer_there_is_named(root: Path) -> None:
    found = bases(root, published(FALCON, "0123456789" * 4))
    assert found.commits == {}
    why = "commit 0123456789, of its last results, is not in the history of this branch"
    assert found.uncompared == {FALCON: Uncompared(why=why)}


def test_a_lost_comparison_is_made_up_for(root: Path) -> None:
    """Commit b was measured and published, and its comparison with a was lost. Then nothing else changes."""
    first = head(root)
    noted(root, published(FALCON, first))
    second = commit(root, {f"frameworks/{FALCON}/app.py": "changed"}, "A change")
    later = a_run(LATER, target="docker", machine=MACHINE.model_copy(update={"commit": second}), started=START + WEEK)
    newest = an_entry(FALCON, later, [a_cell(later)])
    noted(root, newest)
    assert bases(root, newest).commits == {FALCON: first}
    commit(root, {"docs/x.md": "words"}, "No change of an entry")
    assert bases(root, newest).commits == {FALCON: first}
    compared = a_record(FALCON, before=first, after=second, target="docker")
    assert bases(root, newest, records=[compared]) == Bases()


def test_the_first_commit_that_is_still_in_the_history_counts(root: Path) -> None:
    first = head(root)
    dropped = commit(root, {f"frameworks/{FALCON}/app.py": "dropped"}, "Dropped")
    noted(root, published(FALCON, dropped))
    git(root, "reset", "--quiet", "--hard", first)
    later = a_run(LATER, target="docker", machine=MACHINE.model_copy(update={"commit": first}), started=START + WEEK)
    newest = an_entry(FALCON, later, [a_cell(later)])
    noted(root, newest)
    commit(root, {f"frameworks/{FALCON}/app.py": "changed"}, "A change")
    assert bases(root, newest).commits == {FALCON: first}


def test_after_a_forced_push_the_next_record_begins_anew(root: Path) -> None:
    end = commit(root, {f"frameworks/{FALCON}/app.py": "dropped"}, "Dropped")
    git(root, "reset", "--quiet", "--hard", "HEAD~1")
    found = bases(root, records=[a_record(FALCON, after=end, target="docker")])
    assert found.commits == {}
    assert found.uncompared[FALCON].before == end


def test_a_clone_without_the_files_of_old_commits_knows_what_was_there(root: Path, tmp_path: Path) -> None:
    """As the service checks out. The remote, which could send the files, does not answer."""
    first, catalog = head(root), load_catalog(Repository(root))
    commit(root, {f"frameworks/{FALCON}/framework.toml": "title = 'changed'\n"}, "A change")
    git(root, "config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", "--filter=blob:none", f"file://{root}", str(clone))
    git(clone, "remote", "set-url", "origin", "file:///nowhere")
    with pytest.raises(CalledProcessError):
        git(clone, "cat-file", "-e", f"{first}:frameworks/{FALCON}/framework.toml")
    found = bases_of([catalog.entries[FALCON]], catalog, {FALCON: [first]}, [], clone)
    assert found == Bases({FALCON: first})


def test_a_history_that_git_cannot_read_is_reported_and_tried_again(root: Path) -> None:
    first = head(root)
    changed = commit(root, {f"frameworks/{FALCON}/app.py": "changed"}, "A change")
    tree = git(root, "rev-parse", f"{first}:frameworks")
    (root / f".git/objects/{tree[:2]}/{tree[2:]}").unlink()
    assert changed
    found = bases(root, published(FALCON, first))
    assert found.commits == {}
    assert found.uncompared[FALCON].before is None
    assert "git" in found.uncompared[FALCON].why


def test_an_entry_that_the_commit_does_not_have_is_new(root: Path) -> None:
    git(root, "rm", "--quiet", "-r", f"frameworks/{FALCON}")
    without = commit(root, {}, "Removed")
    git(root, "checkout", "--quiet", "HEAD~1", "--", f"frameworks/{FALCON}")
    commit(root, {}, "Added again")
    assert bases(root, published(FALCON, without)) == Bases()
