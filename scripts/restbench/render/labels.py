"""What the board's short words mean, in sentences for readers."""

import re
from collections.abc import Sequence

from restbench.board.models import Agreement, Reference, Setting, Total
from restbench.board.rows import Row, Table
from restbench.render.formats import at_least, figure, interval, tenths
from restbench.results.figures import FEWEST_DUETS
from restbench.results.models import Ceiling, Limit, Machine

_TARGETS = {"native": "processes on the machine itself", "docker": "Docker containers"}

_HOSTING = {"github-hosted": "GitHub-hosted runner", "local": "local machine"}

_MACHINE_CLASS = re.compile(r"(?P<hosting>github-hosted|local)-(?P<architecture>\w+)-(?P<cpus>\d+)cpu")

LIMITS = {
    Limit.SOURCE: "the emulated data source was the limit of the solo rounds, not the app",
    Limit.BACKEND: "the backend was the limit of the solo rounds, not the app",
    Limit.WAITING: "the waiting that the scenario asks for was the limit of the solo rounds, not the app",
    Limit.HANDLERS: "the app's CPUs were idle while requests waited in the solo rounds: it handles too few at a time",
    Limit.LOAD_GENERATOR: "the load generator was the limit of the solo rounds, the app could do more",
    Limit.NOISE: "something other than the app, such as another process, was the limit of the solo rounds",
}
"""What limited a row, but for the app itself, which needs no word."""

TOTAL_LIMITS = {
    Limit.WAITING: "limited by the waiting that the scenario asks for: no app could be much faster",
    Limit.HANDLERS: "limited by the number of the app's handlers, which left CPU time unused",
    Limit.LOAD_GENERATOR: "limited by the load generator: the app could do more",
    Limit.NOISE: "limited by something other than the app, such as another process",
}
"""What limited a total, but for the app itself, which needs no word."""

READING = {
    "rank": "the lowest and the highest rank that a row may have. Rows that the rounds cannot tell apart share ranks. "
    "Rows of one language are compared by duet rounds, rows of different languages by solo rounds, of which each needs "
    "six. Among tables of equal rows, at most 5 % would show any difference. A row leads only if it is certainly "
    "faster than every other.",
    "speed": "what rows are ordered by, in requests per second. It is derived: the throughput of the language's "
    "baseline ÷ the row's relative cost. Without a relative cost it is the measured throughput. ≥ marks a lower "
    "bound: the baseline, or the row itself, did not use all of its CPUs.",
    "relative cost": "CPU time per request ÷ that of the baseline, an entry of the same language. The baseline has 1; "
    "0.5 is half of its CPU time. In a duet round both are loaded at the same time on the same CPUs, so a slow phase "
    "of a CPU slows both and cancels out. The figure is the geometric mean of the rounds, with its 95 % interval by "
    "Student's t on logarithms.",
    "req/s measured": "median throughput of the solo rounds, in which the app is loaded alone and all connections are "
    "kept busy. It is not corrected in any way, so it varies with the speed of the machine. ≥: the load generator was "
    "the limit.",
    "95 % interval, range": "a 95 % interval covers the true figure in 95 % of cases. Fewer than six rounds cannot "
    "give one for a median; their range, from the smallest to the largest, is shown instead, and claims nothing.",
    "limited by": "what kept the measured throughput from being higher. The notes under a table say what follows if "
    "that was not the app.",
    "p50 / p99": "median and 99th percentile of latency, at the same rate for all apps of a table, and at half of each "
    "app's own measured throughput. A request is timed from when it was due, so waiting counts. An app without a "
    "figure at the common rate cannot sustain it.",
    "CPU µs per request": "user and system time of all of the app's processes in solo rounds. It varies with the speed "
    "of the machine, which relative cost does not.",
    "peak memory": "resident, of all of the app's processes, under load; 1 MB is 1,000,000 bytes.",
    "overhead": "time of a request above what the scenario asks for. Of waiting: the median latency at the common rate "
    "− the waiting. Of bcrypt: CPU time − that of one hash, timed alone on the same CPU; shown where the entry hashes "
    "with the library that was timed.",
    "total": "time from the first request of a batch to the last answer. best: no other is certainly faster; worst: no "
    "other is certainly slower. An x is a batch that was not answered in full in time.",
    "size": "what is installed for the entry: a virtual environment, a binary, or a program with the packages beside "
    "it; in Docker the image. Natively the system's libraries and the language's runtime are not in it.",
    "packages": "what the entry is built from or brings along, with all that these need in turn, counted as its "
    "package manager does.",
    "✓, by hand, –": "a mark that the framework makes from types, decorators and docstrings; one that the entry "
    "has to write itself; one that it does not have. The score counts the first kind.",
}
"""The columns that need a word."""


def target(setting: Setting) -> str:
    return _TARGETS.get(setting.target, setting.target)


def machine_class(name: str) -> str:
    """The class that the harness derives, in words; one that a person named, as they named it."""
    match = _MACHINE_CLASS.fullmatch(name)
    if not match:
        return name
    cpus = int(match["cpus"])
    return f"{_HOSTING[match['hosting']]}, {match['architecture']}, {cpus} CPU{'s' if cpus > 1 else ''}"


def setting_title(setting: Setting) -> str:
    """The heading of a section."""
    return f"{machine_class(setting.machine_class)}: {target(setting)}, profile {setting.profile}"


def rounds(solo: int, duets: int) -> str:
    """How many rounds cells have at most."""
    parts = [_counted(solo, "solo round"), *([_counted(duets, "duet round")] if duets else [])]
    return " and ".join(parts)


def pinning(machine: Machine, app: str, load: str) -> str:
    """The CPU split; `app` and `load` are the CPU numbers as shown."""
    return f"app {app}; load generator {load}" if machine.pinned else "nothing pinned"


def reason_against(row: Row) -> str | None:
    """Why a row has nothing to show; None where it has."""
    stale = f"; stale: {row.stale}" if row.stale else ""
    if row.not_run:
        return f"not run: {row.not_run}{stale}"
    return f"failed: {row.failure}{stale}" if row.failure else None


def reason(row: Row) -> str | None:
    """What a reader has to know of a row's rank and figures; None where there is nothing to say."""
    if said := reason_against(row):
        return said
    parts = [
        _about_rank(row),
        f"relative cost to {row.measured_against}" if row.measured_against else None,
        _about_duets(row),
        row.refused,
        f"stale, of {row.measured:%Y-%m-%d}: {row.stale}" if row.stale else None,
    ]
    return "; ".join(filter(None, parts)) or None


def _about_rank(row: Row) -> str | None:
    if row.limit is None:
        return "not ranked: no solo round counts"
    if row.limit == Limit.APP:
        return None
    if not row.ranked:
        return f"not ranked: {LIMITS[row.limit]}"
    if row.baseline:
        return f"{LIMITS[row.limit]}: the speeds of its language are lower bounds"
    return f"ranked by relative cost: {LIMITS[row.limit]}"


def _about_duets(row: Row) -> str | None:
    if row.relative_cost:
        return f"fewer duet rounds: {row.no_duets}" if row.no_duets else None
    if row.no_duets:
        return f"no relative cost: {row.no_duets}"
    if row.duets:
        count = row.duets.count
        return f"no relative cost: {_counted(count, 'duet round')} of the {FEWEST_DUETS} that it needs"
    return None


def limited_by(row: Row) -> str:
    """What limited a row, or what became of it in a word."""
    if row.limit:
        return str(row.limit)
    return "failed" if row.failure else "not run" if row.not_run else "refused"


def total_reason(total: Total) -> str | None:
    """Why there is no total, or what limited it where that was not the app; None where there is nothing to say."""
    if total.failure:
        return f"x: {total.failure}"
    if total.not_run:
        return f"not run: {total.not_run}"
    return TOTAL_LIMITS.get(total.limit) if total.limit else None


def reference(found: Reference) -> str:
    """How much the load generator can drive."""
    if found.throughput is None:
        return f"How much the load generator can drive is not known: {found.title}: {found.failure}."
    driven = ("at least " if found.at_least else "") + interval(found.throughput)
    return (
        f"The load generator can drive {driven} requests per second here, measured with {found.title}'s static answers."
    )


def agreement(found: Agreement) -> str:
    """How well derived speeds agree with measured throughputs."""
    return (
        f"Speed is derived. It differs from the measured throughput by {tenths(100 * found.median)} % in the median of "
        f"{_counted(found.rows, 'row')} that the app limited, and by {tenths(100 * found.worst)} % at most "
        f"({found.worst_row})."
    )


def ceiling(ceilings: Sequence[Ceiling]) -> str:
    """What a suite's backend gave on its own, in a sentence or two."""
    cached, uncached = [c.cached for c in ceilings], [c.uncached for c in ceilings]
    return (
        f"Ceiling: without an app the cache answers {_between(cached)} requests per second, "
        f"{min(c.cached / c.uncached for c in ceilings):.0f} times what Solr gives without it ({_between(uncached)}). "
        f"A cell whose throughput comes within 10 % of the cache is limited by it. "
        f"{ceilings[0].versions}: up, filled and warm after {max(c.start_seconds for c in ceilings):.1f} s, "
        f"{max(c.memory_bytes for c in ceilings) / 1e6:,.0f} MB resident together."
    )


def _between(rates: Sequence[float]) -> str:
    low, high = f"{min(rates):,.0f}", f"{max(rates):,.0f}"
    return low if low == high else f"{low} to {high}"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def speed(row: Row) -> str:
    """A row's speed as it is shown, without a unit."""
    return at_least(figure(row.speed.middle), row.speed_at_least) if row.speed else ""


def leader(table: Table) -> str:
    """One sentence with the fastest rows: what the chart shows, for who cannot see it."""
    ranked = table.ranked
    if not ranked:
        return "no row is ranked"
    first = f"{ranked[0].label} with {_with_bound(ranked[0])} requests per second"
    if table.leader:
        return f"{table.leader.label} leads with {_with_bound(table.leader)} requests per second"
    if len(ranked) == 1:
        return f"one row is ranked: {first}"
    if len(table.sharing_lead) == 1:
        return f"fastest of the {len(ranked)} ranked rows: {first}"
    return f"{len(table.sharing_lead)} rows share the lead, highest speed: {first}"


def _with_bound(row: Row) -> str:
    """A row's speed within a sentence."""
    return f"{'at least ' if row.speed_at_least else ''}{figure(row.speed.middle)}" if row.speed else ""
