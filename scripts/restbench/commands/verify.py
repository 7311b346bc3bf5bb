"""`restbench verify`: every check of every entry, with what was asked and what came where one is broken."""

import contextlib
import io
import random
import secrets
import sys
import threading
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from queue import SimpleQueue

from rich.console import Console
from rich.markup import escape

from restbench.backends import Backend, make_backend
from restbench.catalog import USUAL_SETUP, Entry
from restbench.commands.build import side_by_side
from restbench.commands.setup import Selection, select
from restbench.conformance import SLOW_SOURCE, Verdict, beside_slow_source, fetching
from restbench.conformance import verify as verdicts_of
from restbench.cpus import this_machine
from restbench.errors import BackendError, CatalogError, EntryError
from restbench.loadgen import Load, Wrk
from restbench.measure.prover import HttpProver
from restbench.measure.tools import app_settings

BURST_SECONDS = 1
CONNECTIONS = 32

LANES = 2
"""Entries that are proven at a time: each spends about half of its time waiting. What is proven is no figure."""


@dataclass(frozen=True)
class Lane:
    """What entries that are proven one after the other use. `trouble`: why there is no backend."""

    backend: Backend | None
    trouble: str | None


def verify(frameworks: list[str], suites: list[str], target: str, port: int | None, seed: int | None) -> int:
    """Prints every check. Returns 1 where one is broken or an entry does not come up."""
    selection = select(frameworks, suites, target, port)
    seed = secrets.randbits(32) if seed is None else seed
    console = Console()
    for _ in side_by_side(selection, console):
        pass  # what cannot be built says so when its turn comes
    entries = [entry for entry in selection.entries if entry.cells(selection.suites)]
    with ExitStack() as running:
        lanes = _lanes(selection, running, console, 1 if port else min(LANES, len(entries)))
        broken = [entry.id for entry, kept in _proven(selection, entries, lanes, seed, console) if not kept]
    if broken:
        print(
            f"{len(broken)} of {len(selection.entries)} broke a rule: {', '.join(broken)} (seed {seed})",
            file=sys.stderr,
        )
    return CatalogError.exit_code if selection.broken else 1 if broken else 0


def _lanes(selection: Selection, running: ExitStack, console: Console, number: int) -> list[Lane]:
    """Each with a backend of its own where a suite needs one: requests at it are counted, and it is made to fail."""
    if not any(entry.needs_backend(cell) for entry in selection.entries for cell in entry.cells(selection.suites)):
        return [Lane(None, None)] * number
    cpus = this_machine()

    def backend() -> Backend:
        return make_backend(selection.runtime.name, selection.repository, cpus.backend if cpus.pinned else None)

    try:
        with console.status("starting Solr"):
            return [Lane(running.enter_context(backend()), None) for _ in range(number)]
    except BackendError as error:
        console.print(f"{escape(error.message)}\n{escape(error.detail)}".rstrip(), highlight=False)
        return [Lane(None, error.message)] * number


def _proven(
    selection: Selection, entries: list[Entry], lanes: list[Lane], seed: int, console: Console
) -> Iterator[tuple[Entry, bool]]:
    """Each entry in turn, and whether it keeps every rule. What is found is printed in the order of the entries."""
    if len(lanes) == 1:
        for entry in entries:
            yield entry, _Proof(selection, entry, seed, console).run(lanes[0])
        return
    free: SimpleQueue[Lane] = SimpleQueue()
    for lane in lanes:
        free.put(lane)
    stop = threading.Event()

    def prove(entry: Entry) -> tuple[Entry, bool, str]:
        lane, said = free.get(), io.StringIO()
        try:
            page = Console(file=said, force_terminal=console.is_terminal, width=console.width)
            return entry, _Proof(selection, entry, seed, page, stop).run(lane), said.getvalue()
        finally:
            free.put(lane)

    with ThreadPoolExecutor(len(lanes)) as pool:
        try:
            for entry, kept, said in pool.map(prove, entries):
                console.file.write(said)
                console.file.flush()
                yield entry, kept
        except BaseException:
            stop.set()  # Ctrl-C waits for one check of each lane, and all apps are stopped
            pool.shutdown(cancel_futures=True)
            raise


@dataclass(frozen=True)
class _Proof:
    """One entry's checks, printed as they are made."""

    selection: Selection
    entry: Entry
    seed: int
    console: Console
    stop: threading.Event | None = None

    def run(self, lane: Lane) -> bool:
        """True when the entry keeps every rule."""
        entry, runtime = self.entry, self.selection.runtime
        self.console.print(f"[bold]{entry.id}[/] {entry.version() or ''} ({runtime.name})", highlight=False)
        kept = broken = skipped = 0
        try:
            runtime.build(entry)
            with contextlib.closing(self._verdicts(lane)) as verdicts:
                for verdict in verdicts:
                    _print(self.console, verdict)
                    kept += verdict.kept
                    broken += verdict.broken is not None
                    skipped += verdict.not_run is not None
                    if self.stop and self.stop.is_set():
                        break
        except EntryError as error:
            self.console.print(f"  [red]✗[/] {escape(error.message)}\n{escape(error.detail)}", highlight=False)
            broken += 1
        not_run = f", {skipped} not run" if skipped else ""
        self.console.print(f"  {kept} checks kept, {broken} broken{not_run}\n", highlight=False)
        return broken == 0

    def _verdicts(self, lane: Lane) -> Generator[Verdict, None, None]:
        """Every check, with the app started in each way that its cells need."""
        entry, cells, cpus = self.entry, self.entry.cells(self.selection.suites), this_machine()
        load = Load(BURST_SECONDS, CONNECTIONS, 1, cpus.load if cpus.pinned else None)
        if trouble := lane.trouble:
            yield from (Verdict("all", cell, not_run=trouble) for cell in cells if entry.needs_backend(cell))
            cells = [cell for cell in cells if not entry.needs_backend(cell)]
        if fetch := fetching(entry, cells):
            slow = app_settings(cpus, USUAL_SETUP, lane.backend)
            slow = replace(slow, variables={**slow.variables, **SLOW_SOURCE})
            with self.selection.runtime.target(entry, slow) as target:
                HttpProver(self.seed).wait_ready(target, entry, fetch[0])
                yield from beside_slow_source(target.base_url, entry, fetch, random.Random(self.seed))
        for setup, group in entry.by_setup(cells).items():
            with self.selection.runtime.target(entry, app_settings(cpus, setup, lane.backend)) as target:
                HttpProver(self.seed).wait_ready(target, entry, group[0])
                near = [cell for cell in group if not entry.scenario(cell).link_delay_ms]  # to the app, far is the same
                yield from verdicts_of(target, entry, near, Wrk(), load, self.seed, lane.backend)


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
