"""Measures for the parts of `restbench trust`: with the plans and runs of `bench`, but without its output files."""

import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from restbench.catalog import Catalog, Entry
from restbench.errors import Interrupted, RestbenchError
from restbench.measure import Event, Outcome, Plan, run_plan
from restbench.measure.events import Failed
from restbench.results.journal import Journal


@dataclass(frozen=True)
class Pair:
    """An entry and the baseline of its language."""

    entry: Entry
    baseline: Entry


def pair_of(name: str, catalog: Catalog) -> Pair:
    """Returns the entry of that name with its baseline.

    Raises RestbenchError when there is no such entry, when its language has no baseline, or when it is the baseline.
    """
    entry = catalog.entries.get(name)
    baseline = catalog.baseline_of(entry) if entry else None
    if entry is None or baseline is None or baseline.id == name:
        raise RestbenchError(f"{name} has no baseline to be measured against: name an entry that is not a baseline")
    return Pair(entry, baseline)


def measure(plan: Plan) -> Outcome:
    """Runs a plan and returns its outcome.

    Raises Interrupted when the run was interrupted, and RestbenchError when an entry of the plan has no result.
    """
    with TemporaryDirectory(prefix="restbench-trust-") as folder, Journal(Path(folder) / "rounds.jsonl") as journal:
        outcome = run_plan(plan, journal, _tell_failures)
    if outcome.interrupted:
        raise Interrupted
    results = {result.entry for result in outcome.results}
    if missing := [entry.id for entry in plan.entries if entry.id not in results]:
        raise RestbenchError(f"nothing was measured of {', '.join(missing)}")
    return outcome


def _tell_failures(event: Event) -> None:
    if isinstance(event, Failed):
        where = event.cell or event.entry
        print(f"✗ {where}: {event.failure}", file=sys.stderr)
