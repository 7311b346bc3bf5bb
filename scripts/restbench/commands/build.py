"""`restbench build`: builds environments or images in parallel, and starts no app."""

import sys
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, wait

from rich.console import Console
from rich.markup import escape

from restbench.catalog import Entry
from restbench.commands.options import Frameworks, Quiet, TargetName
from restbench.commands.selection import Selection, select
from restbench.errors import CatalogError, EntryError, MachineError
from restbench.system.pools import stoppable_pool
from restbench.system.text import harmless
from restbench.targets import BUILDS_AT_A_TIME, Build
from restbench.targets.building import NOT_BUILT

_LOOK_SECONDS = 0.5
_SOON_SECONDS = 2.0
"""Without a terminal, a build gets a line only if it still runs after this time."""


def build(frameworks: Frameworks = None, target: TargetName = "auto", quiet: Quiet = False) -> int:
    """Prints each entry when its build ends.

    Returns 1 if a build failed, 2 if a manifest is broken, 3 if nothing failed and this machine or a server
    of packages did, else 0.
    """
    selection = select(frameworks, None, target, starts=False)
    console = Console()
    failed: list[str] = []
    missed: list[str] = []
    for entry, made in side_by_side(selection, console):
        if isinstance(made, EntryError):
            (missed if isinstance(made, MachineError) else failed).append(entry.id)
        elif quiet:
            continue
        console.print(_line(entry, made), highlight=False, soft_wrap=True)
    if failed:
        print(f"{len(failed)} of {len(selection.entries)} were not built: {', '.join(failed)}", file=sys.stderr)
    if missed:
        print(say_missed(missed, selection, NOT_BUILT), file=sys.stderr)
    return exit_code(selection, failed=bool(failed), missed=bool(missed))


def say_missed(names: list[str], selection: Selection, what: str) -> str:
    """Returns the line about entries of which nothing is known, as this machine or a server failed."""
    return f"{len(names)} of {len(selection.entries)} {what}: {', '.join(names)}"


def exit_code(selection: Selection, *, failed: bool, missed: bool) -> int:
    """Returns the exit code of a command that builds entries. The first that applies counts."""
    if selection.mistakes:
        return CatalogError.exit_code
    return 1 if failed else MachineError.exit_code if missed else 0


def _line(entry: Entry, made: Build | EntryError) -> str:
    match made:
        case MachineError():
            return f"[yellow]-[/] {escape(made.message)}"
        case EntryError():
            return f"[red]✗[/] {escape(harmless(made.message))}\n{escape(harmless(made.detail))}".rstrip()
        case Build(cached=False, seconds=float(seconds)):
            return f"[green]✓[/] {entry.id}: built in {seconds:.1f} s"
        case _:
            return f"[green]✓[/] {entry.id}: there already"


def side_by_side(selection: Selection, console: Console) -> Iterator[tuple[Entry, Build | EntryError]]:
    """Builds the entries in parallel. Yields each entry when its build ends, with the build or the error.

    A terminal shows the running builds and the seconds since the start. Other outputs get one line for each long build.
    """
    began, slow = time.monotonic(), set[str]()
    with console.status("building") as status, stoppable_pool(BUILDS_AT_A_TIME) as pool:
        making = {pool.submit(selection.runtime.build, entry): entry for entry in selection.entries}
        left = set(making)
        while left:
            done, left = wait(left, timeout=_LOOK_SECONDS, return_when=FIRST_COMPLETED)
            for future in done:
                error = future.exception()
                yield making[future], error if isinstance(error, EntryError) else future.result()
            seconds = time.monotonic() - began
            names = [entry.id for future, entry in making.items() if future in left and future.running()]
            status.update(f"{len(making) - len(left)} of {len(making)} built, {seconds:.0f} s: {', '.join(names)}")
            if not console.is_terminal and seconds > _SOON_SECONDS:
                for name in names:
                    if name not in slow:
                        print(f"building {name}", file=sys.stderr, flush=True)
                slow.update(names)
