"""`restbench verify`: every check of every entry, with what was asked and what came where one is broken."""

import contextlib
import secrets
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from rich.console import Console
from rich.markup import escape

from restbench.backends import Backend, make_backend
from restbench.catalog import Cell, Entry
from restbench.commands.setup import Selection, select
from restbench.conformance import Verdict
from restbench.conformance import verify as verdicts_of
from restbench.cpus import this_machine
from restbench.errors import BackendError, CatalogError, EntryError
from restbench.loadgen import Load, Wrk
from restbench.measure.prover import HttpProver
from restbench.measure.tools import app_settings
from restbench.targets import BUILDS_AT_A_TIME

BURST_SECONDS = 1
CONNECTIONS = 32


def verify(frameworks: list[str], suites: list[str], target: str, port: int | None, seed: int | None) -> int:
    """Prints every check. Returns 1 where one is broken or an entry does not come up."""
    selection = select(frameworks, suites, target, port)
    seed = secrets.randbits(32) if seed is None else seed
    console = Console()
    _build_side_by_side(selection, console)
    with ExitStack() as running:
        backend, trouble = _backend(selection, running, console)
        broken = [
            entry.id
            for entry in selection.entries
            if not _verify_entry(selection, entry, seed, console, backend, trouble)
        ]
    if broken:
        print(
            f"{len(broken)} of {len(selection.entries)} broke a rule: {', '.join(broken)} (seed {seed})",
            file=sys.stderr,
        )
    return CatalogError.exit_code if selection.broken else 1 if broken else 0


def _build_side_by_side(selection: Selection, console: Console) -> None:
    """Makes what can be made; what cannot says so when its turn comes."""

    def build(entry: Entry) -> None:
        with contextlib.suppress(EntryError):
            if selection.runtime.lacks(entry) is None:
                selection.runtime.build(entry)

    with console.status(f"building {len(selection.entries)} entries"), ThreadPoolExecutor(BUILDS_AT_A_TIME) as pool:
        list(pool.map(build, selection.entries))


def _backend(selection: Selection, running: ExitStack, console: Console) -> tuple[Backend | None, str | None]:
    """What the suites need beside the apps, running; or why it does not, in which case what needs it is not run."""
    if not any(entry.needs_backend(cell) for entry in selection.entries for cell in entry.cells(selection.suites)):
        return None, None
    cpus = this_machine()
    try:
        with console.status("starting Solr"):
            made = make_backend(selection.runtime.name, selection.repository, cpus.backend if cpus.pinned else None)
            return running.enter_context(made), None
    except BackendError as error:
        console.print(f"{escape(error.message)}\n{escape(error.detail)}".rstrip(), highlight=False)
        return None, error.message


def _verify_entry(
    selection: Selection, entry: Entry, seed: int, console: Console, backend: Backend | None, trouble: str | None
) -> bool:
    """True when the entry keeps every rule. `trouble`: why there is no backend."""
    cells = entry.cells(selection.suites)
    if not cells:
        return True
    console.print(f"[bold]{entry.id}[/] {entry.version() or ''} ({selection.runtime.name})", highlight=False)
    kept = broken = skipped = 0
    try:
        if lacking := selection.runtime.lacks(entry):
            raise EntryError(lacking)
        selection.runtime.build(entry)
        for verdict in _verdicts(selection, entry, cells, seed, backend, trouble):
            _print(console, verdict)
            kept += verdict.kept
            broken += verdict.broken is not None
            skipped += verdict.not_run is not None
    except EntryError as error:
        console.print(f"  [red]✗[/] {escape(error.message)}\n{escape(error.detail)}", highlight=False)
        broken += 1
    not_run = f", {skipped} not run" if skipped else ""
    console.print(f"  {kept} checks kept, {broken} broken{not_run}\n", highlight=False)
    return broken == 0


def _verdicts(
    selection: Selection,
    entry: Entry,
    cells: list[Cell],
    seed: int,
    backend: Backend | None,
    trouble: str | None,
) -> Iterator[Verdict]:
    """Every check, with the app started in each way that its cells need."""
    cpus = this_machine()
    load = Load(BURST_SECONDS, CONNECTIONS, 1, cpus.load if cpus.pinned else None)
    if trouble:
        yield from (Verdict("all", cell, not_run=trouble) for cell in cells if entry.needs_backend(cell))
        cells = [cell for cell in cells if not entry.needs_backend(cell)]
    for setup, group in entry.by_setup(cells).items():
        with selection.runtime.target(entry, app_settings(cpus, setup, backend)) as target:
            HttpProver(seed).wait_ready(target, entry, group[0])
            yield from verdicts_of(target, entry, _near(entry, group), Wrk(), load, seed, backend)


def _near(entry: Entry, cells: list[Cell]) -> list[Cell]:
    """Without those that differ from another only in how far away the clients are."""
    return [cell for cell in cells if not entry.scenario(cell).link_delay_ms]


def _print(console: Console, verdict: Verdict) -> None:
    cell = verdict.cell
    where = "/".join(part for part in (cell.scenario, cell.variant) if part) + " " if cell else ""
    if verdict.not_run:
        console.print(f"  [yellow]-[/] {where}{verdict.check}: not run: {escape(verdict.not_run)}", highlight=False)
    elif verdict.broken is None:
        console.print(f"  [green]✓[/] {where}{verdict.check}", highlight=False)
    else:
        broken = verdict.broken
        console.print(f"  [red]✗[/] {where}{verdict.check}", highlight=False)
        for label, text in (("request", broken.request), ("expected", broken.expected), ("got", broken.got)):
            console.print(f"      {label:9}{escape(text)}", highlight=False, soft_wrap=True)
