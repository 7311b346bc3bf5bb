"""How each framework is: whether it kept the contract in the newest runs, and what changed last."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from markupsafe import Markup

from restbench.board.models import Section
from restbench.catalog import Entry
from restbench.changes.comparison import Verdict
from restbench.changes.records import ChangeRecord
from restbench.changes.summary import headline
from restbench.render.formats import MISSING
from restbench.site.points import EntrySetting, RunOfEntry

RUNS = 26
"""How many runs a strip has: half a year of weekly ones."""

STEP, SIZE = 12, 10
"""Distance and size of the squares of a strip, in pixels."""


@dataclass(frozen=True)
class Health:
    """How an entry is. `strip` has a square for each of the newest runs, the oldest first.

    `broken_since`: the first of the newest runs in a row in which a cell of it failed; `why` has their checks. None of
    them if the newest run kept the contract. `changed`: the newest change that made a difference in that time.
    """

    entry: Entry
    strip: Markup
    broken_since: date | None
    broken_runs: int
    why: str
    changed: ChangeRecord | None

    @property
    def now(self) -> str:
        if self.broken_since:
            return f"broken since {self.broken_since} ({_count(self.broken_runs, 'run')}): {self.why}"
        return f"{headline(self.changed)} since {self.changed.version or self.changed.day}" if self.changed else "fine"

    @property
    def rank(self) -> int:
        """What needs a look comes first: broken ones, then slower ones."""
        if self.broken_since:
            return 0
        return 1 if self.changed and is_slower(self.changed) else 2


def is_slower(record: ChangeRecord) -> bool:
    """Whether a record claims that something became slower."""
    return any(cost.verdict is Verdict.SLOWER for cost in (record.together, *record.cells.values()) if cost)


def health_of(
    section: Section,
    entries: Iterable[Entry],
    measured: Mapping[EntrySetting, Sequence[RunOfEntry]],
    newest_first: Sequence[ChangeRecord],
) -> list[Health]:
    """Returns the health of each entry under a setting. What needs a look comes first. Others are left out."""
    found = [(entry, own) for entry in entries if (own := measured.get((entry.id, section.setting)))]
    days = sorted({each.run.at.date() for _, own in found for each in own})[-RUNS:]
    health = [_health(entry, own, days, newest_first) for entry, own in found]
    return sorted(health, key=lambda each: (each.rank, each.entry.title.casefold()))


def _health(
    entry: Entry, own: Sequence[RunOfEntry], days: Sequence[date], newest_first: Sequence[ChangeRecord]
) -> Health:
    by_day = {each.run.at.date(): each for each in own}
    broken = []
    for each in reversed(own):
        if not each.line.failed:
            break
        broken.append(each)
    changed = (r for r in newest_first if r.entry == entry.id and r.claims and r.day >= days[0])
    return Health(
        entry,
        _strip([by_day.get(day) for day in days]),
        broken[-1].run.at.date() if broken else None,
        len(broken),
        ", ".join(sorted(set(broken[0].line.failed.values()))) if broken else "",
        next(changed, None),
    )


def _strip(runs: Sequence[RunOfEntry | None]) -> Markup:
    """A square for each run, in the colour of what became of it."""
    failed = sum(bool(run and run.line.failed) for run in runs)
    missing = sum(run is None for run in runs)
    label = f"{_count(len(runs), 'run')}, {failed} with a failure, {missing} missing"
    parts = [
        Markup('<svg class="health" width="{}" height="{}" role="img" aria-label="{}">').format(
            len(runs) * STEP, SIZE, label
        )
    ]
    for number, run in enumerate(runs):
        kind = "missing" if run is None else "failed" if run.line.failed else "kept"
        parts.append(
            Markup('<rect class="{}" x="{}" y="1" width="{}" height="{}"><title>{}</title></rect>').format(
                kind, number * STEP + 1, SIZE - 2, SIZE - 2, f"{run.run.at:%Y-%m-%d}: {kind}" if run else MISSING
            )
        )
    return Markup("").join([*parts, Markup("</svg>")])


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"
