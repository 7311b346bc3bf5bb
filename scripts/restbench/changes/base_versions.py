"""The base versions of entries: those of a commit, of another checkout, or of the folder of an entry."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from restbench.catalog import Catalog, Entry, load_catalog
from restbench.catalog.folders import MANIFEST, expanded
from restbench.catalog.load import load_folder
from restbench.changes.touched import BASE, base_of
from restbench.errors import MissingToolError, ResultsError, UsageError
from restbench.system.git import git, git_succeeds
from restbench.system.owners import owner_id, owner_lives
from restbench.system.repository import Repository
from restbench.system.text import did_you_mean


@dataclass(frozen=True)
class State:
    """The commit that files are of, None where no commit has them. `dirty`: whether they were changed since."""

    commit: str | None = None
    dirty: bool = False


@dataclass(frozen=True)
class BaseVersions:
    """The base versions of entries, by the ids of the entries. A new entry has none.

    `unchanged` are the entries without a difference from the commit that was asked for. `unread` has the first mistake
    in the manifest of each base that cannot be read, as after a key has got another form.
    """

    entries: dict[str, Entry]
    state: State
    unchanged: tuple[Entry, ...] = ()
    unread: dict[str, str] = field(default_factory=dict)


@contextmanager
def base_versions(named: str, entries: list[Entry], catalog: Catalog, repository: Repository) -> Iterator[BaseVersions]:
    """Yields the base versions of the entries. `named` is a commit, a branch, a tag or a folder.

    Files that have to be copied or checked out are in a temporary folder, which is removed when the context ends.
    Raises UsageError where there is no such commit or folder, and MissingToolError where git is needed and missing.
    """
    folder = expanded(named)
    with _temporary(repository) as temporary:
        if named and (folder / "frameworks").is_dir():
            found, unread = _in_checkout(folder.resolve(), entries, catalog)
            yield BaseVersions(found, state_of(folder / "frameworks"), unread=unread)
        elif named and (folder / MANIFEST).is_file():
            if len(entries) > 1:
                names = ", ".join(entry.id for entry in entries)
                raise UsageError(f"{named} is one entry, and it cannot be the base of {names}: name one of them")
            base = _in_folder(folder.resolve(), entries[0], catalog, repository, temporary)
            yield BaseVersions({entries[0].id: base}, state_of(folder))
        else:
            yield _of_commit(named, entries, catalog, repository, temporary)


def state_of(folder: Path) -> State:
    """Returns the commit of a folder, and whether files in it differ from it. No commit where git does not know it."""
    try:
        git(folder, "rev-parse", "--verify", "--quiet", "HEAD:./")  # a folder that git ignores may be in a checkout
        return State(git(folder, "rev-parse", "HEAD"), bool(git(folder, "status", "--porcelain", "--", ".")))
    except ResultsError:
        return State()


def _of_commit(
    named: str, entries: list[Entry], catalog: Catalog, repository: Repository, temporary: Path
) -> BaseVersions:
    if shutil.which("git") is None:
        raise MissingToolError("git is missing, and commits are compared with it: install it, or name a folder as base")
    roots = {_root(entry, repository, named) for entry in entries}
    if len(roots) > 1:
        raise UsageError(f"{named} is a commit of one repository, and the entries are in {len(roots)}: compare one")
    (root,) = roots
    try:
        commit = git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{named}^{{commit}}")
    except ResultsError as error:
        known = git(root, "for-each-ref", "--format=%(refname:short)").split()
        raise UsageError(
            f"{named!r} is no commit of {root}, no checkout of restbench and no folder of an entry"
            f"{did_you_mean(named, known)}"
        ) from error
    found: dict[str, Entry] = {}
    unread: dict[str, str] = {}
    if root == repository.root:
        _check_out(root, commit, temporary / "checkout")
        found, unread = _in_checkout(temporary / "checkout", entries, catalog)
    for entry in entries:
        if entry.origin is None:
            continue
        place = git(entry.origin, "rev-parse", "--show-prefix")
        if git_succeeds(root, "cat-file", "-e", f"{commit}:{place}{MANIFEST}"):
            _check_out(root, f"{commit}:{place.removesuffix('/')}", temporary / entry.name)
            found[entry.id] = _in_folder(temporary / entry.name, entry, catalog, repository, temporary)
    unchanged = [entry for entry in entries if entry.id in found and found[entry.id].files_hash() == entry.files_hash()]
    return BaseVersions(found, State(commit), tuple(unchanged), unread)


def _root(entry: Entry, repository: Repository, named: str) -> Path:
    """Returns the root of the repository that an entry is in."""
    if entry.origin is None:
        return repository.root
    try:
        return Path(git(entry.origin, "rev-parse", "--show-toplevel"))
    except ResultsError as error:
        reason = error.message.partition(": ")[2]
        raise UsageError(f"{entry.origin} has no commit {named} ({reason}): name a folder as its base") from error


def _check_out(root: Path, tree: str, folder: Path) -> None:
    """Writes the files of a commit or of a folder in it. The repository does not note it, as it does a worktree."""
    env = {**os.environ, "GIT_INDEX_FILE": f"{folder}.index"}
    git(root, "read-tree", tree, env=env)
    git(root, "checkout-index", "--all", f"--prefix={folder}/", env=env)


def _in_checkout(root: Path, entries: list[Entry], catalog: Catalog) -> tuple[dict[str, Entry], dict[str, str]]:
    """Returns the bases, and the first mistake of those that cannot be read."""
    before = load_catalog(Repository(root))
    found = {entry.id: base for entry in entries if (base := base_of(entry, catalog, before))}
    mistakes = {entry.id: before.mistakes.get(entry.id) for entry in entries if entry.id not in found}
    return found, {name: lines[0] for name, lines in mistakes.items() if lines}


def _in_folder(folder: Path, head: Entry, catalog: Catalog, repository: Repository, temporary: Path) -> Entry:
    entry = load_folder(repository, catalog, folder, temporary / "entries", head.language.name)
    if entry.language.name != head.language.name:
        raise UsageError(f"{folder} is an entry of {entry.language.name}, and cannot be the base of {head.id}")
    return replace(entry, revision=BASE)


@contextmanager
def _temporary(repository: Repository) -> Iterator[Path]:
    """Yields a folder that is removed in the end. Removes those of comparisons that were killed."""
    parent = repository.state / "bases"
    for left in parent.glob("*"):
        if not owner_lives(left.name):
            shutil.rmtree(left, ignore_errors=True)
    folder = parent / owner_id()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
