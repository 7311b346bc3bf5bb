"""`restbench serve` and `restbench solr`: run one app with its backend, or the backend alone, for developers."""

import random
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Annotated

import typer
from rich.console import Console

from restbench.backends import SOLR, make_backend
from restbench.backends.programs import CORE_PATH
from restbench.catalog import Cell, Entry
from restbench.commands.build import side_by_side
from restbench.commands.options import Name, Port, TargetName
from restbench.commands.selection import Selection, select
from restbench.errors import AppDiedError, BackendError, EntryError, Interrupted, UsageError
from restbench.loadgen.interface import request_shape
from restbench.measure.tools import app_settings, wait_ready
from restbench.system.cpus import this_machine
from restbench.system.ports import LAST
from restbench.system.repository import Repository, find_repository
from restbench.targets import choose_runtime, remove_orphans

_LOOK_SECONDS = 0.5
_ID = 1
_LABEL = "50%25%20done%3F"
"""A segment of a path that the app has to decode."""


def serve(
    framework: Name,
    target: TargetName = "auto",
    port: Annotated[
        int | None, typer.Option(min=1, max=LAST, help="port of a native app; a free one by default", metavar="PORT")
    ] = None,
) -> None:
    """Builds and starts the app, prints its address, and waits for Ctrl-C.

    Raises UsageError if `framework` names several entries, BuildError if the app cannot be built, and AppDiedError if
    it exits.
    """
    selection = select([framework], None, target, port)
    if len(selection.entries) != 1:
        names = ", ".join(entry.id for entry in selection.entries)
        raise UsageError(f"one framework is served at a time, and {framework} stands for {names}")
    (entry,) = selection.entries
    for _, made in side_by_side(selection, Console(stderr=True)):
        if isinstance(made, EntryError):
            raise made
    try:
        with ExitStack() as running:
            _serve(selection, entry, running)
    except Interrupted:
        print("stopped", file=sys.stderr)


def _serve(selection: Selection, entry: Entry, running: ExitStack) -> None:
    cells = entry.cells(selection.suites)
    cpus = this_machine()
    backend = None
    if selection.backend and any(entry.needs_backend(cell) for cell in cells):
        print("starting Solr and the cache in front of it; the first start downloads what it needs", file=sys.stderr)
        try:
            backend = running.enter_context(selection.make_backend())
        except BackendError as error:
            lacks = "the app runs without its backend, and answers 503 where it needs it"
            print(f"{lacks}: {error.message}", file=sys.stderr)
    if backend is None:
        cells = [cell for cell in cells if not entry.needs_backend(cell)]
    setup = next(iter(entry.by_setup(cells)))
    app = running.enter_context(selection.runtime.target(entry, app_settings(cpus, setup, backend)))
    wait_ready(app, entry, cells[0], random.Random())
    print(f"{entry.id} {entry.version(selection.runtime.name) or ''} listens at {app.base_url}\n")
    for line in examples(entry, cells, app.base_url, selection.repository):
        print(f"  {line}")
    print(f"\nIts log: {app.log_command}\nCtrl-C stops it. Start it again after a change of the code.", flush=True)
    while (reason := app.exit_reason()) is None:
        time.sleep(_LOOK_SECONDS)
    raise AppDiedError(f"{entry.id}: the app {reason}", app.log_tail())


def examples(entry: Entry, cells: list[Cell], base_url: str, repository: Repository) -> Iterator[str]:
    """Yields a curl command for each request of the cells. Bodies are files of the fixtures."""
    seen = set()
    for cell in cells:
        scenario = entry.scenario(cell)
        shape = request_shape(entry.suites[cell.suite], scenario, cell)
        path = shape.path_for(_ID).replace("{label}", _LABEL)
        if (shape.method, path) in seen:
            continue
        seen.add((shape.method, path))
        argv = ["curl", "-i"]
        if shape.method != "GET":
            argv += ["-X", shape.method]
        if scenario.body:
            body = repository.relative(entry.suites[cell.suite].folder / scenario.body)
            argv += ["-H", "'content-type: application/json'", "--data-binary", f"@{body}"]
        yield " ".join([*argv, f"'{base_url}{path}'"])


def solr(target: TargetName = "auto", port: Port = None) -> None:
    """Runs Solr and the cache until Ctrl-C. Raises BackendError if something is missing."""
    repository = find_repository()
    runtime = choose_runtime(target, [], repository)
    for orphan in remove_orphans():
        print(f"removed what an earlier run left behind: {orphan}", file=sys.stderr)
    print("starting Solr and the cache in front of it; the first start downloads the jars of Solr", file=sys.stderr)
    with make_backend(SOLR, runtime.name, repository, cpus=None, port=port) as backend:
        memory = backend.resources().memory_bytes / 1e6
        print(
            f"{backend.versions()}: up, filled and warm after {backend.start_seconds:.1f} s, {memory:,.0f} MB resident"
        )
        print("Apps find it by this variable; Ctrl-C stops both.\n")
        print(f"  export SOLR_URL={backend.front}{CORE_PATH}\n", flush=True)
        try:
            while True:
                time.sleep(1)  # not signal.pause(), which misses a signal that comes just before it
        except Interrupted:
            print("stopped", file=sys.stderr)
