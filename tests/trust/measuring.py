"""Measures entries as the service does: each in a run of its own, with the baseline of its language."""

import sys
from dataclasses import replace
from pathlib import Path

from restbench.catalog.profiles import Profile
from restbench.changes.series import Unwritten
from restbench.commands.bench import make_plan
from restbench.commands.selection import Selection
from restbench.errors import Interrupted, RestbenchError
from restbench.measure import Event, Outcome, Plan, run_board
from restbench.measure.events import Failed
from restbench.results.files import write_entry
from restbench.results.merge import LATEST, LINKS


def write_board(selection: Selection, profile: Profile, links: Profile | None, folder: Path) -> None:
    """Measures each entry, and with `links` the links of their languages, and writes the results to the folder."""
    for entry in selection.entries:
        # latencies and batches say nothing about CPU time
        shorter = profile.model_copy(update={"latency_rounds": 0, "batch_rounds": 0})
        plan = replace(make_plan(replace(selection, entries=[entry]), shorter, seed=None), reference=None)
        for result in measure(plan).results:
            if result.entry == entry.id:
                write_entry(folder / LATEST, result)
        print(f"{folder.name}: {entry.id}", file=sys.stderr)
    if links:
        languages = {entry.language.name for entry in selection.entries}
        baselines = [entry for entry in selection.catalog.baselines if entry.language.name in languages]
        plan = make_plan(replace(selection, entries=baselines), links, seed=None)
        for result in measure(plan).results:
            write_entry(folder / LINKS, result)
        print(f"{folder.name}: links", file=sys.stderr)


def measure(plan: Plan) -> Outcome:
    """Runs a plan. Raises Interrupted, and RestbenchError when an entry of the plan has no result."""
    outcome = run_board(plan, Unwritten(), _tell_failures)
    if outcome.interrupted:
        raise Interrupted
    if missing := {entry.id for entry in plan.entries} - {result.entry for result in outcome.results}:
        raise RestbenchError(f"nothing was measured of {', '.join(sorted(missing))}")
    return outcome


def _tell_failures(event: Event) -> None:
    if isinstance(event, Failed):
        print(f"✗ {event.cell or event.entry}: {event.failure}", file=sys.stderr)
