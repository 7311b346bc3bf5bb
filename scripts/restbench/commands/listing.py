"""`restbench list`"""

from rich import box
from rich.console import Console
from rich.table import Table

from restbench.catalog import Entry, load_catalog
from restbench.catalog.select import select_entries
from restbench.repository import find_repository


def list_entries(patterns: list[str]) -> None:
    """A line per entry."""
    catalog = load_catalog(find_repository())
    entries = select_entries(catalog, patterns)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("framework", "version", "interface", "suites"):
        table.add_column(heading, no_wrap=True)
    for entry in entries:
        table.add_row(entry.id, entry.version() or "", entry.manifest.interface, _suites(entry))
    console = Console()
    console.print(table if console.is_terminal else "\n".join(_plain(entry) for entry in entries), soft_wrap=True)
    catalog.check()


def _plain(entry: Entry) -> str:
    return "\t".join((entry.id, entry.version() or "", entry.manifest.interface, _suites(entry)))


def _suites(entry: Entry) -> str:
    parts = []
    for name in entry.suites:
        variants = [v for v in entry.variants(name) if v]
        if entry.variants(name):
            parts.append(f"{name} ({', '.join(variants)})" if variants else name)
    return "; ".join(parts)
