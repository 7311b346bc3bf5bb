"""Tests whether a slowdown of known size is found: an app with an extra loop in a handler is compared with the app."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import nan
from pathlib import Path
from statistics import geometric_mean, median

from restbench.catalog import Catalog
from restbench.catalog.profiles import Profile
from restbench.changes.compare import compare_versions
from restbench.changes.comparison import EntryComparison, Verdict
from restbench.changes.series import Unwritten, series_of
from restbench.commands.bench import make_plan
from restbench.commands.selection import Selection
from restbench.errors import RestbenchError
from restbench.measure import Plan
from restbench.system.repository import Repository
from restbench.targets.facts import Facts
from restbench.targets.native import NativeRuntime
from tests.trust.copies import tree_of_copies

SHARES = (0.02, 0.05, 0.0)
"""Shares of extra CPU time per request that are to be found. With 0, an app is compared with itself."""

PLAIN = "plain"

HANDLER = '        resp.text = "Hello World"\n'
"""The line of Falcon's hello handler. The loop is inserted before it."""

PROBE_ITERATIONS = 200
"""Iterations of the loop in the calibration. They add about 6 % to the cost of a request. A longer loop would tell less
about a short one, as further iterations cost less: 83 add 3 %, 207 6.4 % and 1,000 24 %."""


class Burn:
    """Edits a copy of Falcon: its hello handler first runs an empty loop of `iterations` iterations."""

    def __init__(self, iterations: int) -> None:
        self._iterations = iterations

    def __call__(self, folder: Path) -> None:
        """Inserts the loop into app.py. Raises ValueError when the handler's line is not there exactly once."""
        app = folder / "app.py"
        text = app.read_text()
        if text.count(HANDLER) != 1:
            raise ValueError(f"{app}: expected one line {HANDLER.strip()!r}")
        # range() creates objects only for its larger numbers, so a few iterations would cost less than their share
        loop = f"        for _ in repeat(None, {self._iterations}):\n            pass\n"
        app.write_text("from itertools import repeat\n" + text.replace(HANDLER, loop + HANDLER))


def iterations_for(share: float, probe: Sequence[float]) -> int:
    """Returns how many iterations cost that share of a request's CPU time.

    `share`: 0.05 for 5 %. `probe`: the ratios of duet rounds of the handler with PROBE_ITERATIONS against the handler
    without a loop.

    Up to that number the cost is about linear in the number of iterations. The speed of the core does not matter,
    because the share is of the same request in the same rounds.
    """
    each = (geometric_mean(probe) - 1) / PROBE_ITERATIONS
    return round(share / each)


def detections(selection: Selection, repeats: int, profile: Profile) -> dict[float, list[EntryComparison]]:
    """Compares an app with copies of itself that burn CPU time. Returns the comparisons for each of SHARES.

    The sizes take turns, so that a slow hour of the machine affects all sizes alike.
    """
    (entry,) = selection.entries
    with tree_of_copies(entry, selection.repository, {PLAIN: Burn(0), "probe": Burn(PROBE_ITERATIONS)}) as copied:
        plan = _plan(*copied, profile.model_copy(update={"most_starts": 1}), f"{entry.language.name}/probe")
        base = plan.baselines[entry.language.name]
        with series_of(plan.entries[0], base, plan, Unwritten(), lambda _event: None) as series:
            series.run_first()
    ratios = [ratio for starts in series.ratios.values() for start in starts for ratio in start]
    if not ratios:
        raise RestbenchError(f"{entry.id}: no duet round counts, so the extra CPU time cannot be calibrated")
    burns = {f"extra-{share:.0%}".strip("%"): iterations_for(share, ratios) for share in SHARES}
    print(f"{entry.id}: iterations for each share: {burns}", file=sys.stderr)
    found: dict[float, list[EntryComparison]] = {share: [] for share in SHARES}
    edits = {name: Burn(count) for name, count in {PLAIN: 0, **burns}.items()}
    with tree_of_copies(entry, selection.repository, edits) as copied:
        for repeat in range(repeats):
            for share, name in zip(SHARES, burns, strict=True):
                plan = _plan(*copied, profile, f"{entry.language.name}/{name}")
                base = plan.baselines[entry.language.name]
                found[share].append(compare_versions(base, plan.entries[0], plan, lambda _event: None))
            print(f"{repeat + 1} of {repeats} repeats", file=sys.stderr)
    return found


def detection_table(found: Mapping[float, Sequence[EntryComparison]]) -> str:
    """How often the comparisons for each share claimed a difference, as a Markdown table.

    A comparison that measured nothing counts as one that found no difference.
    """
    lines = [["extra CPU time", "called slower", "called faster", "measured, median", "measured, range"]]
    for share, comparisons in found.items():
        cells = [cell for comparison in comparisons for cell in comparison.cells]
        slower, faster = (
            f"{sum(cell.verdict is verdict for cell in cells)} of {len(comparisons)}"
            for verdict in (Verdict.SLOWER, Verdict.FASTER)
        )
        more = [cell.cost.ratio - 1 for cell in cells if cell.cost] or [nan]
        lines.append([f"{share:.0%}", slower, faster, f"{median(more):+.1%}", f"{min(more):+.1%} to {max(more):+.1%}"])
    return pipe_table(lines)


def pipe_table(lines: Sequence[Sequence[str]]) -> str:
    """A Markdown table, whose first line has its headings."""
    return "\n".join(f"| {' | '.join(line)} |" for line in [lines[0], ["---"] * len(lines[0]), *lines[1:]])


def _plan(repository: Repository, catalog: Catalog, profile: Profile, head: str) -> Plan:
    """Returns the plan of a comparison of a copy with the plain copy. Copies have no facts of their own."""
    entry = catalog.entries[head]
    base = catalog.entries[f"{entry.language.name}/{PLAIN}"]
    selection = Selection(repository, catalog, [entry], ["hello"], NativeRuntime(repository), mistakes=[])
    plan = make_plan(selection, profile, seed=None)
    return replace(plan, reference=None, baselines={entry.language.name: base}, collect=lambda _entry: Facts())
