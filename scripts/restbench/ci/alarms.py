"""What a maintainer has to look at, as one GitHub issue: figures that have been missing for more than a week.

A failed entry is a result, and the run that found it is green. So nobody gets a mail about it. The issue says what a
week did not mend: cells that fail, figures that are stale, and a board of which no full run came.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from restbench.catalog import CellKey
from restbench.catalog.profiles import PUBLISHED
from restbench.changes.published import TARGET
from restbench.changes.summary import safe
from restbench.ci.github import GitHub
from restbench.ci.issues import IssueKind, Wanted, keep
from restbench.results.models import CellResult, EntryResult

PATIENCE = timedelta(days=8)
"""A week, in which the weekly run measures each entry, and a day in which it may be late."""

NAME = "the service"
SERVICE = IssueKind(
    label="service",
    colour="fbca04",
    about="Figures have been missing for more than a week, or the weekly run has",
    mark=re.compile(r"<!-- restbench: (the service) -->"),
    names=re.compile(r"^- \*\*(.+?)\*\*", re.MULTILINE),
    over="Nothing has been missing for more than a week.",
    why_closed="nothing is missing",
)

_RESTART = (
    "Start `benchmark` by hand. GitHub disables the schedule of a repository in which nothing happened for 60 days "
    "(Actions → benchmark → Enable workflow)."
)
_MOST = 60
"""How many alarms are listed. The text of an issue may have 65,536 characters."""


@dataclass(frozen=True)
class Alarm:
    """`what`: names it, and is the same in the next run. `why`: since when, and the reason."""

    what: str
    why: str


def alarms(results: Iterable[EntryResult], cells: Mapping[str, Collection[CellKey]], now: datetime) -> list[Alarm]:
    """Returns what has been missing for longer than PATIENCE, in the published results of the board.

    `cells`: entry → its cells. What the catalogue has no longer is missed by nobody, and its results stay.
    """
    listed = []
    for result in results:
        there = [cell for cell in result.cells if cell.key in cells.get(result.entry, ())]
        present = result.model_copy(update={"cells": there})
        listed += [present] if _cells_of(present) else []
    # no run was to measure these for too long
    forgotten = [result for result in listed if result.missed is None and _is_late(_measured(result), now)]
    if len(forgotten) * 2 > len(listed):  # one reason, and not one for each entry
        last = max(_measured(result) for result in forgotten)
        why = f"{len(forgotten)} of {len(listed)} entries were measured last on {last:%Y-%m-%d}, or earlier. {_RESTART}"
        missing = [Alarm("no full run", why)]
        listed = [result for result in listed if result not in forgotten]
    else:
        missing = []
    return [*missing, *(alarm for result in listed for alarm in _of_entry(result, now))]


def report_alarms(found: list[Alarm], github: GitHub, run_url: str | None) -> list[str]:
    """Keeps the issue. Returns a sentence for each thing that was done, as `keep` does."""
    title = f"The service: {len(found)} thing{'s' * (len(found) != 1)} to look at"
    wanted = {NAME: Wanted(title, _body(found, run_url))} if found else {}
    return keep(wanted, SERVICE, github) or ["nothing has been missing for more than a week, and no issue is open"]


def _of_entry(result: EntryResult, now: datetime) -> Iterable[Alarm]:
    """One alarm for all cells of the entry that fail, and one for all whose figures are old."""
    cells = _cells_of(result)
    failed = [cell for cell in cells if cell.failure]
    late = [cell for cell in failed if _is_late(cell.last_good, now)]
    if late:
        good = [cell.last_good for cell in late if cell.last_good]
        since = f"was measured last on {max(good):%Y-%m-%d}" if good else "was never measured"
        failure = late[0].failure
        why = f"; {failure.check}: {failure.got}" if failure else ""
        yield Alarm(f"{result.entry} fails", f"{_some(late, cells)}: it {since}{safe(why[:300])}")
    old = [cell for cell in cells if cell not in failed and _is_late(result.runs[cell.run].started, now)]
    if old:
        oldest = min(result.runs[cell.run].started for cell in old)
        missed = result.missed or next((cell.missed for cell in old if cell.missed), None)
        why = f"; {missed.reason}" if missed else "; no later run was to measure it"
        yield Alarm(
            f"{result.entry} is stale", f"{_some(old, cells)}: its figures are of {oldest:%Y-%m-%d}{safe(why[:300])}"
        )


def _cells_of(result: EntryResult) -> list[CellResult]:
    """The cells that the service publishes."""
    published = {name for name, run in result.runs.items() if run.target == TARGET and run.profile == PUBLISHED}
    return [cell for cell in result.cells if cell.run in published]


def _measured(result: EntryResult) -> datetime:
    """When a run began that last said something of the entry."""
    return max(result.runs[cell.run].started for cell in _cells_of(result))


def _is_late(last: datetime | None, now: datetime) -> bool:
    return last is None or now - last > PATIENCE


def _some(some: list[CellResult], of: list[CellResult]) -> str:
    return "all cells" if len(some) == len(of) else f"{len(some)} of {len(of)} cells"


def _body(found: list[Alarm], run_url: str | None) -> str:
    lines = [
        f"<!-- restbench: {NAME} -->",
        "This has been missing for more than eight days. A run in which an entry fails is green, so no mail said it.",
        "This issue is closed when nothing is missing any more.",
        "",
        *(f"- **{alarm.what}**: {alarm.why}" for alarm in found[:_MOST]),
        *([f"- and {len(found) - _MOST} more"] if len(found) > _MOST else []),
        "",
        "docs/SERVICE.md says what to do.",
    ]
    return "\n".join([*lines, "", f"[The run that reported it]({run_url})"] if run_url else lines) + "\n"
