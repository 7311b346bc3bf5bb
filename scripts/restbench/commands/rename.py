"""`restbench rename`: gives an entry another name, with all that is published of it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from restbench.catalog import Catalog, load_catalog
from restbench.catalog.consistency import folder_mistake
from restbench.catalog.load import MOVED
from restbench.commands.render import write_board
from restbench.errors import UsageError
from restbench.system.files import write_atomically
from restbench.system.git import git
from restbench.system.repository import Repository, find_repository
from restbench.system.text import did_you_mean

WRITTEN = ("README.md", "frameworks", "results")
"""The places that a rename changes, as paths from the root."""

_HEAD = """# Former names of entries, and the present ones to which their addresses lead. `restbench rename` writes it.
[moved]
"""


def rename(
    old: Annotated[str, typer.Argument(help="the entry, as language/name", metavar="OLD")],
    new: Annotated[str, typer.Argument(help="how it is called from now on", metavar="NEW")],
) -> None:
    """Moves the entry's folder and its results, names it anew where others name it, and renders the board.

    Raises UsageError, having changed nothing, where there is no such entry, where it cannot be called so, and where
    there are changes that are not committed.
    """
    repository = find_repository()
    catalog = load_catalog(repository).check()
    found = dict(_rewritten(repository.results, old, new))
    for mistake in _mistakes(old, new, repository, catalog, has_results=bool(found)):
        raise UsageError(mistake)
    for path, text in [*found.items(), *_manifests(old, new, repository.frameworks)]:
        write_atomically(path, text)
    moved = {name: new if now == old else now for name, now in catalog.moved.items() if name != new} | {old: new}
    lines = [f'"{name}" = "{now}"\n' for name, now in sorted(moved.items())]
    write_atomically(repository.frameworks / MOVED, (_HEAD + "".join(lines)).encode())
    for path in [repository.frameworks / old, *repository.results.glob(f"*/{old}.json")]:
        if path.exists():
            target = path.parents[1] / f"{new}{path.suffix}"
            target.parent.mkdir(exist_ok=True)
            path.rename(target)
    write_board(repository, load_catalog(repository))
    print(f"{old} is {new}: see what else `git grep {old}` finds, and commit all at once")


def _mistakes(old: str, new: str, repository: Repository, catalog: Catalog, *, has_results: bool) -> Iterator[str]:
    """Yields why what is called `old` cannot be called `new`."""
    language, _, name = new.partition("/")
    languages = [path.parent.name for path in repository.frameworks.glob("*/language.toml")]
    if old == new:
        yield f"{old} is called so already: name another one"
    if old not in catalog.entries and not (has_results and new in catalog.entries):
        yield f"there is no entry {old}{did_you_mean(old, catalog.entries)}"
    if mistake := folder_mistake(name):
        yield f"{new}: {mistake}"
    if language not in languages:
        yield f"there is no language {language}{did_you_mean(language, languages)}"
    if old in catalog.entries and (repository.frameworks / new).exists():
        yield f"frameworks/{new} is there already: choose another name"
    if any(_rewritten(repository.results, new, old)):
        yield f"there are results of {new} already: choose another name"
    if git(repository.root, "status", "--porcelain", "--", *WRITTEN):
        yield f"there are changes in {', '.join(WRITTEN)} that are not committed: commit them first"


def _rewritten(results: Path, old: str, new: str) -> Iterator[tuple[Path, bytes]]:
    """The files of results that name an entry or a baseline so, with the new name. All other bytes stay."""
    named = re.compile(rf'("(?:entry|baseline)":\s*"){re.escape(old)}(?=[" ])'.encode())
    for path in sorted(results.rglob("*.json*")):
        text, count = named.subn(lambda match: match[1] + new.encode(), path.read_bytes())
        if count:
            yield path, text


def _manifests(old: str, new: str, frameworks: Path) -> Iterator[tuple[Path, bytes]]:
    """The manifests that name the entry, or in its language its folder, with the new name."""
    (language, _, name), called = old.partition("/"), new.partition("/")[2]
    named = re.compile(rf'^(\s*(?:baseline|code_from)\s*=\s*"){name}(?=")', re.MULTILINE)
    for pattern in ("*.toml", f"{language}/language.toml", f"{language}/*/framework.toml"):
        for path in frameworks.glob(pattern):
            text = named.sub(rf"\g<1>{called}", path.read_text(encoding="utf-8").replace(f'"{old}"', f'"{new}"'))
            if text != path.read_text(encoding="utf-8"):
                yield path, text.encode()
