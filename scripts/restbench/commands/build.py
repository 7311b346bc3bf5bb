"""`restbench build`: environments or images, side by side, without starting anything."""

import sys
from collections.abc import Iterator
from concurrent.futures import as_completed

from rich.console import Console
from rich.markup import escape

from restbench.catalog import Entry
from restbench.commands.setup import Selection, select
from restbench.errors import CatalogError, EntryError
from restbench.targets import Build, Runtime, build_pool
from restbench.verbosity import Clock, Verbosity


def build(frameworks: list[str], target: str, verbosity: Verbosity = Verbosity.NORMAL) -> int:
    """Prints each entry as soon as it is made. Returns 1 where one could not be."""
    selection = select(frameworks, [], target, None)
    console, clock, failed = Console(), Clock(), []
    for entry, made in side_by_side(selection, console):
        if isinstance(made, EntryError):
            failed.append(entry.id)
        elif verbosity is Verbosity.QUIET:
            continue
        stamp = clock.stamp() if verbosity is Verbosity.VERBOSE else ""
        console.print(stamp + _line(entry, made), highlight=False)
    if failed:
        print(f"{len(failed)} of {len(selection.entries)} were not built: {', '.join(failed)}", file=sys.stderr)
    return CatalogError.exit_code if selection.mistakes else 1 if failed else 0


def _line(entry: Entry, made: Build | EntryError) -> str:
    match made:
        case EntryError():
            return f"[red]✗[/] {escape(made.message)}\n{escape(made.detail)}".rstrip()
        case Build(cached=False, seconds=float(seconds)):
            return f"[green]✓[/] {entry.id}: built in {seconds:.1f} s"
        case _:
            return f"[green]✓[/] {entry.id}: there already"


def side_by_side(selection: Selection, console: Console) -> Iterator[tuple[Entry, Build | EntryError]]:
    """Makes what can be made, and gives each entry as soon as it is done with what became of it."""
    title = f"building {len(selection.entries)} entries"
    with console.status(title) as status, build_pool() as pool:
        making = {pool.submit(_made, selection.runtime, entry): entry for entry in selection.entries}
        for count, done in enumerate(as_completed(making), 1):
            status.update(f"{title}: {count} done")
            yield making[done], done.result()


def _made(runtime: Runtime, entry: Entry) -> Build | EntryError:
    try:
        return runtime.build(entry)
    except EntryError as error:
        return error
