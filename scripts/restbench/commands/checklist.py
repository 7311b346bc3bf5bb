"""`restbench checklist`: checks a framework's pull request as far as a program can, and prints a Markdown list."""

import contextlib
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from restbench.catalog import Catalog, Entry, load_catalog
from restbench.commands.lint import can_lint, first_lint_findings, is_linted
from restbench.commands.options import Name
from restbench.commands.verify import verify as verify_entries
from restbench.compare.changes import changed_files
from restbench.errors import CatalogError, MissingToolError, UsageError
from restbench.system.repository import Repository, find_repository

_STEP = re.compile(r"\bstep \d+:", re.IGNORECASE)
_PLACEHOLDER = "https://example.org"
_SHOWN = 5
_FIRST = "hello"
"""The suite that every entry takes part in."""


@dataclass(frozen=True)
class Item:
    """One line of the list. `why` says what is missing, and is empty if the item is done.

    An item that is not `needed` may stay open.
    """

    text: str
    why: str = ""
    needed: bool = True


def checklist(
    name: Name,
    since: Annotated[str | None, typer.Option(help="the revision that its pull request branches off from")] = None,
    verify: Annotated[bool, typer.Option(help="also verify that it keeps the contract")] = True,
) -> int:
    """Prints the list. Returns 1 if an item that is needed is open, else 0."""
    repository = find_repository()
    catalog = load_catalog(repository)
    if mistakes := catalog.mistakes.get(name):
        raise CatalogError(mistakes)
    entry = catalog.entries.get(name)
    if entry is None:
        raise UsageError(f"there is no framework {name} here: restbench new {name} writes it")
    items = list(_items(entry, catalog, repository, since, verify))
    for item in items:
        print(f"- [{' ' if item.why else 'x'}] {item.text}{': ' if item.why else ''}{item.why}")
    return 1 if any(item.why and item.needed for item in items) else 0


def _items(entry: Entry, catalog: Catalog, repository: Repository, since: str | None, verify: bool) -> Iterator[Item]:
    yield Item("its manifest has no mistakes, and its version is locked")
    yield Item("no step of the template is left", _left_of_template(entry))
    yield Item(f"it takes part in {_FIRST}", "" if entry.variants(_FIRST) else f"add {_FIRST} = true to framework.toml")
    others = [suite for suite in catalog.suites if not entry.variants(suite)]
    left = f"not in {', '.join(others)}" if others else ""
    yield Item("it takes part in every suite that its framework can", left, needed=False)
    yield Item("its language has a colour of its own", _lacking_colour(entry))
    if is_linted(entry):
        missing = "" if can_lint() else "ruff is missing: install it with: make lint"
        yield Item("it keeps the lint rules", missing or first_lint_findings(entry, repository), needed=not missing)
    if since:
        changed = changed_files(repository.root, since)
        folder = repository.relative(_place(entry, catalog, changed, repository)) + "/"
        outside = [path for path in changed if not path.startswith(folder)]
        more = f" and {len(outside) - _SHOWN} more" if len(outside) > _SHOWN else ""
        yield Item("nothing outside of its folder changes", ", ".join(outside[:_SHOWN]) + more)
    if verify:
        yield Item("it keeps the contract", _broken(entry))


def _place(entry: Entry, catalog: Catalog, changed: list[str], repository: Repository) -> Path:
    """Returns the folder that the pull request may change.

    It is the entry's folder, or the folder of its language if the pull request adds the language and all its entries.
    """
    language = entry.language.folder
    entries = [each.folder for each in catalog.entries.values() if each.language.name == entry.language.name]
    manifests = [language / "language.toml", *(folder / "framework.toml" for folder in entries)]
    is_new = all(repository.relative(manifest) in changed for manifest in manifests)
    return language if is_new else entry.folder


def _lacking_colour(entry: Entry) -> str:
    language = entry.language
    return (
        ""
        if language.manifest.colour
        else f'add colour = "{language.colour}" to frameworks/{language.name}/language.toml'
    )


def _broken(entry: Entry) -> str:
    try:
        with contextlib.redirect_stdout(sys.stderr):
            broken = verify_entries([entry.id])
    except MissingToolError as error:
        return error.message
    return f"see make verify FRAMEWORK={entry.id}" if broken else ""


def _left_of_template(entry: Entry) -> str:
    files = [path for path in sorted(entry.folder.rglob("*")) if path.is_file() and "__pycache__" not in path.parts]
    texts = {path.name: path.read_text(errors="replace") for path in files}
    return ", ".join(name for name, text in texts.items() if _STEP.search(text) or _PLACEHOLDER in text)
