"""`make trust`: measures apps whose right result is known, and prints how often the figures give it."""

import shutil
import signal
import sys
from datetime import UTC, datetime
from math import nan
from pathlib import Path
from statistics import median
from typing import Annotated

import typer

from restbench.board.agreement import Copies, agreement_of
from restbench.catalog.profiles import Profile, find_profile
from restbench.cli import Interruption
from restbench.commands.agree import agreement_table, read_results
from restbench.commands.options import TargetName
from restbench.commands.selection import Selection, select
from restbench.errors import Interrupted, RestbenchError, UsageError
from restbench.measure.machine import describe_machine
from restbench.results.merge import LINKS
from restbench.system.cpus import this_machine
from restbench.system.files import write_atomically
from restbench.system.repository import find_repository
from tests.trust.detection import detection_table, detections, pipe_table
from tests.trust.measuring import write_board

PARTS = ("identical", "boards", "detection")
SUITES = ["hello", "issue-tracker"]

IDENTICAL = ["python/starlette", "rust/actix", "java/javalin"]
"""Entries of three languages, of which one is compiled while it runs. None is its language's baseline."""

BOARDS = [
    *("python/falcon", "python/litestar", "python/starlette", "python/fastapi", "python/sanic", "python/flask-smorest"),
    *("rust/axum", "rust/actix", "go/nethttp", "go/gin", "java/jooby", "java/javalin", "typescript/fastify"),
]
"""Entries of several languages, of which two boards are measured: fast and slow ones, and some that are close."""

SLOWED = "python/falcon"
"""The entry whose copies are slowed down by a known share."""


def trust(
    parts: Annotated[
        list[str] | None,
        typer.Argument(help="the parts to run: identical, boards, detection; all by default", show_default=False),
    ] = None,
    framework: Annotated[
        list[str] | None, typer.Option(help="an entry, in place of those that are named here; repeatable")
    ] = None,
    pairs: Annotated[int, typer.Option(help="number of pairs of identical runs of each entry", min=1)] = 4,
    repeats: Annotated[int, typer.Option(help="number of comparisons for each slowdown", min=1)] = 20,
    target: TargetName = "auto",
    profile: Annotated[
        str | None, typer.Option(help="in place of quick, of links, and of full for slowdowns", show_default=False)
    ] = None,
) -> None:
    """Runs the parts, prints a Markdown table for each, and writes the tables to out/trust.md.

    Identical runs and boards run in the target, as the service runs them in Docker, and their results are kept in
    out/trust/. Slowdowns run natively.
    """
    if unknown := set(parts or []) - set(PARTS):
        raise UsageError(f"no part is called {', '.join(sorted(unknown))}; known: {', '.join(PARTS)}")
    copying, comparing, linking = (find_profile(profile or usual) for usual in ("quick", "full", LINKS))
    out, texts = find_repository().out, [_heading()]
    print(texts[0])
    for part in parts or PARTS:
        folder = out / "trust" / part
        shutil.rmtree(folder, ignore_errors=True)
        if part == "identical":
            texts.append(_identical(framework or IDENTICAL, target, pairs, copying, folder))
        elif part == "boards":
            texts.append(_boards(select(framework or BOARDS, SUITES, target), copying, linking, folder))
        else:
            found = detections(select([SLOWED], ["hello"], "native"), repeats, comparing)
            texts.append(f"Detection of known slowdowns\n\n{detection_table(found)}\n")
        print(texts[-1])
        write_atomically(out / "trust.md", "\n".join(texts).encode())


def _identical(names: list[str], target: str, pairs: int, profile: Profile, folder: Path) -> str:
    """Measures entries in pairs of runs, each beside the baseline of its language. Nothing differs between the runs."""
    selection = select(names, SUITES, target)
    for entry in selection.entries:
        if selection.catalog.baseline_of(entry) in (None, entry):
            raise UsageError(f"{entry.id} has no baseline to be measured with: name an entry that is not a baseline")
    found: list[Copies] = []
    for number in range(1, pairs + 1):
        sides = [folder / f"{number}{side}" for side in "ab"]
        for side in sides:
            write_board(selection, profile, None, side)
        found += agreement_of(selection.catalog, *map(read_results, sides)).copies
    lines = [["copies of", "called different", "differ, median"]]
    for entry in selection.entries:
        copies = [each for each in found if each.entry == entry.id]
        different = f"{sum(each.different for each in copies)} of {len(copies)}"
        lines.append([entry.id, different, f"{median([each.spread for each in copies] or [nan]):.1%}"])
    return f"A/A, each copy in a run of its own\n\n{pipe_table(lines)}\n"


def _boards(selection: Selection, profile: Profile, linking: Profile, folder: Path) -> str:
    """Measures two boards of the same entries, one after the other."""
    boards = [folder / side for side in "ab"]
    for board in boards:
        write_board(selection, profile, linking, board)
    agreement = agreement_of(selection.catalog, *map(read_results, boards))
    return f"Two boards of the same entries\n\n{agreement_table(agreement)}\n"


def _heading() -> str:
    """Returns a line with the date, the machine and the commit."""
    machine = describe_machine(this_machine(), docker=False)
    where = f"{machine.cpu_model}, {machine.cpus} CPUs, kernel {machine.kernel}"
    return f"{datetime.now(UTC):%Y-%m-%d}, {where}, commit {(machine.commit or 'unknown')[:10]}\n"


if __name__ == "__main__":
    interruption = Interruption()
    signal.signal(signal.SIGINT, interruption)
    signal.signal(signal.SIGTERM, interruption)
    try:
        typer.run(trust)
    except (RestbenchError, Interrupted) as error:
        sys.exit(error.message)
