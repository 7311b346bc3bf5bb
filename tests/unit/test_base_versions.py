"""What `restbench compare` compares entries with: the version of a commit, of another checkout, or of a folder."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from restbench.catalog import Catalog, Entry
from restbench.catalog.load import load_with_folders
from restbench.changes import base_versions as module
from restbench.changes.base_versions import BaseVersions, State, base_versions, state_of
from restbench.errors import Interrupted, MissingToolError, UsageError
from restbench.system.repository import Repository
from tests.made.small import small_repository
from tests.unit.repositories import commit, git

FLASK, FALCON = "python/flask", "python/falcon"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A checkout of the small catalogue with one commit, whose Flask was changed since."""
    folder = tmp_path / "check out"
    shutil.copytree(small_repository().root, folder, symlinks=True)
    git(folder, "init", "--quiet", "--initial-branch=main")
    commit(folder, {".gitignore": "/.restbench/\n__pycache__/\n"}, "The first")
    (folder / "frameworks/python/flask/app.py").write_text("changed = True\n")
    return folder


@pytest.fixture
def outside(root: Path, tmp_path: Path) -> Path:
    """An entry in a folder of another repository, changed since its commit."""
    folder = tmp_path / "own/bench/mine"
    shutil.copytree(root / "frameworks/python/starlette", folder)
    manifest = folder / "framework.toml"
    manifest.write_text(f'language = "python"\n{manifest.read_text()}')
    git(folder.parents[1], "init", "--quiet", "--initial-branch=trunk")
    commit(folder.parents[1], {}, "The first")
    (folder / "app.py").write_text("changed = True\n")
    return folder


@contextmanager
def compared(root: Path, base: str | Path, *names: str | Path) -> Iterator[tuple[BaseVersions, list[Entry]]]:
    repository = Repository(root)
    catalog, ids = load_with_folders(repository, [str(name) for name in names])
    entries = [catalog.entries[name] for name in ids]
    with base_versions(str(base), entries, catalog, repository) as bases:
        yield bases, entries


def nothing_is_left(root: Path) -> bool:
    folder = root / ".restbench/bases"
    return not folder.exists() or list(folder.iterdir()) == []


def app_of(entry: Entry) -> str:
    return (entry.folder / "app.py").read_text()


def test_a_commit_is_checked_out_until_the_end(root: Path) -> None:
    with compared(root, "main", FLASK, FALCON) as (bases, (flask, falcon)):
        base = bases.entries[FLASK]
        assert (base.id, bases.state) == ("python/flask@base", State(git(root, "rev-parse", "HEAD")))
        assert app_of(base) != app_of(flask)
        assert bases.unchanged == (falcon,)
    assert nothing_is_left(root)
    assert git(root, "status", "--porcelain") == "M frameworks/python/flask/app.py"
    assert git(root, "worktree", "list").count("\n") == 0


def test_what_the_commit_does_not_have_is_new(root: Path) -> None:
    shutil.copytree(root / "frameworks/python/flask", root / "frameworks/python/fresh")
    manifest = root / "frameworks/python/fresh/framework.toml"
    manifest.write_text(manifest.read_text().replace('"Flask"', '"Fresh"'))
    with compared(root, "HEAD", FLASK, "python/fresh") as (bases, _):
        assert list(bases.entries) == [FLASK]
        assert bases.unchanged == ()


def test_a_base_that_cannot_be_read_is_not_called_missing(root: Path) -> None:
    manifest = root / "frameworks/python/flask/framework.toml"
    text = manifest.read_text()
    manifest.write_text(text.replace("title", "titel"))
    git(root, "commit", "--quiet", "--all", "--message", "a key of another version")
    manifest.write_text(text)
    with compared(root, "HEAD", FLASK, FALCON) as (bases, _):
        assert list(bases.entries) == [FALCON]
        assert bases.unread[FLASK].startswith("frameworks/python/flask/framework.toml: titel: unknown key")


def test_another_checkout_is_read_where_it_is(root: Path, tmp_path: Path) -> None:
    git(root, "worktree", "add", "--quiet", "--detach", str(tmp_path / "base"), "HEAD")
    (tmp_path / "base/fixtures").unlink(missing_ok=True)
    (tmp_path / "base/fixtures").symlink_to(root / "fixtures")
    with compared(root, tmp_path / "base", FLASK, FALCON) as (bases, entries):
        assert bases.entries[FLASK].folder == tmp_path / "base/frameworks/python/flask"
        assert bases.state == State(git(root, "rev-parse", "HEAD"))
        assert bases.unchanged == (), "identical copies were asked for"
        assert len(entries) == 2


def test_copies_of_one_checkout_can_be_compared(root: Path) -> None:
    with compared(root, root, FALCON) as (bases, (falcon,)):
        assert bases.entries[FALCON].files_hash() == falcon.files_hash()
        assert bases.unchanged == ()


def test_a_commit_is_one_of_the_repository_that_an_entry_is_in(root: Path, outside: Path) -> None:
    with compared(root, "trunk", outside) as (bases, (mine,)):
        base = bases.entries["python/mine"]
        assert base.id == "python/mine@base"
        assert app_of(base) != app_of(mine) == "changed = True\n"
        assert bases.state == State(git(outside, "rev-parse", "HEAD"))
    assert nothing_is_left(root)
    assert git(outside, "status", "--porcelain", "--", ".") == "M bench/mine/app.py"


def test_a_folder_may_be_the_root_of_its_repository(root: Path, outside: Path) -> None:
    shutil.rmtree(outside.parents[1] / ".git")
    git(outside, "init", "--quiet")
    made = commit(outside, {"app.py": "first\n"}, "The first")
    commit(outside, {"app.py": "second\n"}, "The second")
    with compared(root, made[:10], outside) as (bases, (mine,)):
        assert (app_of(bases.entries[mine.id]), app_of(mine)) == ("first\n", "second\n")


def test_a_folder_is_compared_with_another_one(root: Path, outside: Path, tmp_path: Path) -> None:
    before = tmp_path / "before/mine"
    shutil.copytree(outside, before)
    (before / "app.py").write_text("before\n")
    with compared(root, before, outside) as (bases, (mine,)):
        assert (app_of(bases.entries[mine.id]), app_of(mine)) == ("before\n", "changed = True\n")
        assert bases.state == State()
    assert nothing_is_left(root)


def test_an_entry_is_compared_with_a_folder_that_names_no_language(root: Path) -> None:
    with compared(root, root / "frameworks/python/starlette", FLASK) as (bases, _):
        assert bases.entries[FLASK].id == "python/starlette@base"


REFUSED: dict[str, tuple[Callable[[Path, Path], tuple[str | Path, list[str | Path]]], str]] = {
    "no commit": (
        lambda _root, _own: ("mian", [FLASK]),
        r"^'mian' is no commit of .*check out, .*; did you mean main",
    ),
    "a folder of something else": (lambda root, _own: (root / "fixtures", [FLASK]), "is no commit of .*, no checkout"),
    "no repository": (
        lambda root, own: ("HEAD", [shutil.copytree(own, root.parent / "alone")]),
        r"alone has no commit HEAD \(fatal: not a git repository.*\): name a folder as its base$",
    ),
    "two repositories": (lambda _root, own: ("HEAD", [own, FLASK]), "HEAD is a commit of one repository, and the entr"),
    "one folder for two": (lambda _root, own: (own, [FLASK, FALCON]), "is one entry, and it cannot be the base of pyt"),
    "another language": (lambda _root, own: (own, ["rust/axum"]), "is an entry of python, and cannot be the base of r"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_a_base_is_refused_in_one_line(root: Path, outside: Path, what: str) -> None:
    asked, said = REFUSED[what]
    base, names = asked(root, outside)
    with pytest.raises(UsageError, match=said) as refused, compared(root, base, *names):
        pass
    assert "\n" not in refused.value.message
    assert nothing_is_left(root)


def test_without_git_only_folders_are_compared(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(MissingToolError, match=r"^git is missing, .*: install"), compared(root, "main", FLASK):
        pass
    with compared(root, root, FLASK) as (bases, _):
        assert (list(bases.entries), bases.state) == ([FLASK], State())


def test_an_interruption_leaves_nothing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Interrupted), compared(root, "main", FLASK):
        assert not nothing_is_left(root)
        raise Interrupted
    assert nothing_is_left(root)

    def interrupted(_repository: Repository) -> Catalog:
        raise Interrupted

    monkeypatch.setattr(module, "load_catalog", interrupted)
    with pytest.raises(Interrupted), compared(root, "main", FLASK):
        pass
    assert nothing_is_left(root)


def test_the_next_comparison_removes_what_a_killed_one_left(root: Path) -> None:
    left = root / ".restbench/bases/00000000.1.1.1/checkout"
    left.mkdir(parents=True)
    with compared(root, "main", FLASK):
        assert not left.exists()


def test_the_state_of_a_folder_says_whether_it_was_changed(root: Path, outside: Path) -> None:
    head = git(root, "rev-parse", "HEAD")
    assert state_of(root / "frameworks") == State(head, dirty=True)
    assert state_of(root / "frameworks/rust") == State(head)
    assert state_of(outside).dirty
    ignored = shutil.copytree(outside, root / ".restbench/copy")
    assert state_of(ignored) == State(), "its files are in no commit"
