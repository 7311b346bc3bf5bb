"""`restbench list`: lists the entries of the board."""

import sys

from pydantic import BaseModel
from rich import box
from rich.console import Console
from rich.table import Table

from restbench.catalog import load_catalog
from restbench.catalog.select import select_entries
from restbench.commands.options import Frameworks, Json
from restbench.errors import CatalogError
from restbench.system.repository import find_repository


class ListedEntry(BaseModel):
    """An entry as `list --json` prints it. `suites`: suite → variants, an empty list if the suite has no variants.

    `notes`: what was decided about the entry, and why.
    """

    entry: str
    title: str
    version: str | None
    interface: str
    suites: dict[str, list[str]]
    notes: list[str]


class Listing(BaseModel):
    """The document of `list --json`. `mistakes`: lines about broken manifests, whose entries are left out."""

    entries: list[ListedEntry]
    mistakes: list[str]


def list_entries(frameworks: Frameworks = None, as_json: Json = False) -> int:
    """Prints a line for each entry. A terminal gets a table, other outputs get fields with tabs between them.

    Returns 2 if a manifest is broken, else 0. Prints the mistakes of manifests on standard error.
    """
    catalog = load_catalog(find_repository())
    listed = [
        ListedEntry(
            entry=entry.id,
            title=entry.title,
            version=entry.version(),
            interface=entry.manifest.interface,
            suites={name: [v for v in entry.variants(name) if v] for name in entry.suites if entry.variants(name)},
            notes=entry.manifest.notes,
        )
        for entry in select_entries(catalog, frameworks or ["*"])
    ]
    mistakes = [line for lines in catalog.mistakes.values() for line in lines]
    if as_json:
        print(Listing(entries=listed, mistakes=mistakes).model_dump_json(indent=1))
    elif (console := Console()).is_terminal:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for heading in ("framework", "version", "interface"):
            table.add_column(heading, no_wrap=True)
        table.add_column("suites")  # it wraps if the terminal is narrow
        for entry in listed:
            table.add_row(*_fields(entry))
        console.print(table)
    else:
        for entry in listed:
            print(*_fields(entry), sep="\t")
    for line in mistakes:
        print(line, file=sys.stderr)
    return CatalogError.exit_code if mistakes else 0


def _fields(entry: ListedEntry) -> tuple[str, str, str, str]:
    suites = [f"{name} ({', '.join(variants)})" if variants else name for name, variants in entry.suites.items()]
    return entry.entry, entry.version or "", entry.interface, "; ".join(suites)
