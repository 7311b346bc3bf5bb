"""`restbench verify`: runs every check of every entry.

A broken check is printed with the request, and with the expected and the received answer.
"""

import contextlib
import io
import random
import re
import secrets
import shlex
import sys
import threading
from collections.abc import Generator, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from restbench.backends import Backend
from restbench.catalog import USUAL_SETUP, Cell, Entry, Setup
from restbench.changes.touched import changed_files
from restbench.commands.build import exit_code, say_missed, side_by_side
from restbench.commands.options import Frameworks, Json, Port, Quiet, Seed, Suites, TargetName
from restbench.commands.selection import Selection, expect_tools, select
from restbench.commands.verdicts import Report, Verification, Verified
from restbench.conformance import (
    CROWD_SOURCE_MS,
    SLOW_SOURCE,
    SOURCE_MS,
    CheckResult,
    Mismatch,
    asked_settings,
    fetching,
    in_production,
    waits_under_load,
    with_slow_source,
)
from restbench.conformance import verify as verdicts_of
from restbench.errors import BackendError, EntryError, MachineError
from restbench.measure.tools import app_settings, wait_ready
from restbench.system.cpus import this_machine
from restbench.system.pools import result_of
from restbench.system.text import harmless
from restbench.targets import Target, runtime_settings
from restbench.targets.facts import printed_facts

LANES = 2
"""Entries that are verified at the same time. Each has a Solr and load of its own."""

_OF_A_TEMPLATE = re.compile(r"\b(?i:step) \d+:|https://example\.org")
_SHOWN = 5
"""Changed files that are named."""


@dataclass(frozen=True)
class Lane:
    """The backend for entries that are verified one after the other. `unavailable`: why there is none."""

    backend: Backend | None
    unavailable: str | None


def verify(
    frameworks: Frameworks = None,
    suites: Suites = None,
    target: TargetName = "auto",
    port: Port = None,
    seed: Seed = None,
    since: Annotated[
        str | None,
        typer.Option(help="also print which files outside of the frameworks changed since it", metavar="REVISION"),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Prints every check, and what is left to do before the pull request of a new entry.

    Returns 1 if a check is broken or an entry does not start, 2 if a manifest is broken, 3 if nothing is broken, and
    this machine or a server of packages failed, else 0. With `as_json`, standard output has one JSON document and
    nothing else, and the lines go to standard error.
    """
    selection = select(frameworks, suites, target, port)
    expect_tools()
    left = list(left_to_do(selection, since))
    seed = secrets.randbits(32) if seed is None else seed
    console = Console(stderr=as_json)
    for _ in side_by_side(selection, console):
        pass  # an entry that cannot be built reports the error when it is verified
    entries = [entry for entry in selection.entries if entry.cells(selection.suites)]
    with ExitStack() as running:
        lanes = _lanes(selection, running, console, 1 if port else min(LANES, len(entries)))
        verified = list(_verified(_Run(selection, seed, quiet), entries, lanes, console))
    if as_json:
        document = Verification(target=selection.runtime.name, seed=seed, entries=verified, mistakes=selection.mistakes)
        print(document.model_dump_json(indent=1))
    broken = [each.entry for each in verified if each.broken]
    missed = [each.entry for each in verified if each.missed]
    where = f"{selection.runtime.name}, seed {seed}"
    if broken:
        print(f"{len(broken)} of {len(entries)} broke a rule: {', '.join(broken)} ({where})", file=sys.stderr)
    elif quiet:
        number = len(entries) - len(missed)
        print(f"{number} of {len(entries)} kept every rule ({where})", file=console.file)
    if not quiet:
        for line in left:
            print(line, file=console.file)
    if missed:
        print(say_missed(missed, selection, "not verified"), file=sys.stderr)
    return exit_code(selection, failed=bool(broken), missed=bool(missed))


def left_to_do(selection: Selection, since: str | None) -> Iterator[str]:
    """Yields a line for each entry that is not finished, and one for the files that changed outside of the entries.

    A change that adds a language with all of its entries may change the language's folder.
    """
    for entry in selection.entries:
        files = [path for path in sorted(entry.folder.rglob("*")) if path.is_file() and "__pycache__" not in path.parts]
        texts = {path.name: path.read_text(encoding="utf-8", errors="replace") for path in files}
        if left := [name for name, text in texts.items() if _OF_A_TEMPLATE.search(text)]:
            yield f"{entry.id}: steps of the template are left in {', '.join(left)}"
    if not since:
        return
    relative, changed = selection.repository.relative, changed_files(selection.repository.root, since)
    folders = []
    for entry in selection.entries:
        language = entry.language
        entries = [each.folder for each in selection.catalog.entries.values() if each.language.name == language.name]
        manifests = [language.folder / "language.toml", *(folder / "framework.toml" for folder in entries)]
        is_new = all(relative(manifest) in changed for manifest in manifests)
        folders.append(f"{relative(language.folder if is_new else entry.folder)}/")
    if outside := [path for path in changed if not path.startswith(tuple(folders))]:
        more = f" and {len(outside) - _SHOWN} more" if len(outside) > _SHOWN else ""
        names = ", ".join(entry.id for entry in selection.entries)
        yield harmless(f"changed outside of {names}: {', '.join(outside[:_SHOWN])}{more}")


def _lanes(selection: Selection, running: ExitStack, console: Console, number: int) -> list[Lane]:
    """Returns the lanes, each with a backend of its own if a suite needs one.

    Lanes cannot share a backend, because checks count its requests and make it fail.
    """
    if selection.backend is None:
        return [Lane(None, None)] * number
    try:
        with console.status("starting Solr and the cache in front of it"):
            return [Lane(running.enter_context(selection.make_backend()), None) for _ in range(number)]
    except BackendError as error:
        console.print(f"{escape(error.message)}\n{escape(error.detail)}".rstrip(), highlight=False)
        return [Lane(None, error.message)] * number


def _verified(run: "_Run", entries: list[Entry], lanes: list[Lane], console: Console) -> Iterator[Verified]:
    """Yields the checks of each entry, and prints them, in the order of the entries."""
    if len(lanes) == 1:
        for entry in entries:
            yield run.of(entry, lanes[0], console)
        return
    free: SimpleQueue[Lane] = SimpleQueue()
    for lane in lanes:
        free.put(lane)
    stop = threading.Event()

    def check(entry: Entry) -> tuple[Verified, str]:
        lane, output = free.get(), io.StringIO()
        try:
            page = Console(file=output, force_terminal=console.is_terminal, width=console.width)
            return run.of(entry, lane, page, stop), output.getvalue()
        finally:
            free.put(lane)

    with ThreadPoolExecutor(len(lanes)) as pool:
        try:
            for verified, output in map(result_of, [pool.submit(check, entry) for entry in entries]):
                console.file.write(output)
                console.file.flush()
                yield verified
        except BaseException:
            stop.set()  # Ctrl-C waits for the current check of each lane, and all apps are stopped
            pool.shutdown(cancel_futures=True)
            raise


def _production(target: Target, entry: Entry) -> CheckResult:
    """Asks the runtime of a running app what it runs with, and checks that this is production mode."""
    settings = asked_settings(entry, partial(runtime_settings.ask, target, entry))
    return (
        CheckResult("production", None, settings) if isinstance(settings, Mismatch) else in_production(entry, settings)
    )


@dataclass(frozen=True)
class _Run:
    """Verifies entries, with the selection and the seed of this run."""

    selection: Selection
    seed: int
    quiet: bool

    def of(self, entry: Entry, lane: Lane, console: Console, stop: threading.Event | None = None) -> Verified:
        """Verifies one entry until `stop` is set. Prints each check when it is done, and returns all of them."""
        runtime = self.selection.runtime
        report = Report(entry, runtime.name, console, self.quiet)
        report.begin()
        try:
            runtime.build(entry)
            try:
                printed_facts(entry, runtime)
                report.add(CheckResult("facts", None))
            except EntryError as error:
                command = shlex.join(entry.language.manifest.facts or [])
                wrong = Mismatch(command, "licence, number of packages, runtime", error.message)
                report.add(CheckResult("facts", None, wrong))
            with contextlib.closing(self._verdicts(entry, lane)) as verdicts:
                for verdict in verdicts:
                    report.add(verdict)
                    if stop and stop.is_set():
                        break
        except EntryError as error:
            report.fail(error)
        except OSError as error:
            report.fail(MachineError(f"{entry.id}: {error}"))
        report.end()
        return report.verified

    def _verdicts(self, entry: Entry, lane: Lane) -> Generator[CheckResult, None, None]:
        """Yields every check. Starts the app with each setup that its cells need, and with slow data sources."""
        cells, cpus, drawing = entry.cells(self.selection.suites), this_machine(), random.Random(self.seed)
        if reason := lane.unavailable:
            yield from (CheckResult("all", cell, not_run=reason) for cell in cells if entry.needs_backend(cell))
            cells = [cell for cell in cells if not entry.needs_backend(cell)]
        if fetch := fetching(entry, cells):
            with self._started(entry, fetch, Setup(workers=1), lane, SLOW_SOURCE) as target:
                yield from with_slow_source(target.base_url, entry, fetch, random.Random(self.seed))
            source_ms = drawing.choice(CROWD_SOURCE_MS)
            with self._started(entry, fetch, USUAL_SETUP, lane, {"POOL_LATENCY_MS": str(source_ms)}) as target:
                yield from waits_under_load(target, entry, fetch, cpus, random.Random(self.seed), source_ms)
        for setup, group in entry.by_setup(cells).items():
            source_ms = drawing.choice(SOURCE_MS)
            with self._started(entry, group, setup, lane, {"POOL_LATENCY_MS": str(source_ms)}) as target:
                if setup == USUAL_SETUP:
                    yield _production(target, entry)
                # a far link makes no difference to the app
                near = [cell for cell in group if not entry.scenario(cell).link_delay_ms]
                yield from verdicts_of(target, entry, near, cpus, self.seed, lane.backend, source_ms)

    @contextlib.contextmanager
    def _started(
        self, entry: Entry, cells: list[Cell], setup: Setup, lane: Lane, source: Mapping[str, str]
    ) -> Iterator[Target]:
        """Starts the app of an entry, with these variables of the data source. `cells`: those that it is asked for."""
        settings = app_settings(this_machine(), setup, lane.backend, source)
        with self.selection.runtime.target(entry, settings) as target:
            wait_ready(target, entry, cells[0], random.Random(self.seed))
            yield target
