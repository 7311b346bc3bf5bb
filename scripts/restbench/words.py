"""What the board's short words mean, in sentences for readers."""

import re
from collections.abc import Sequence

from restbench.board.models import Row, Setting, Table, Total
from restbench.numbers import interval
from restbench.results.models import Ceiling, Limit, Machine

_TARGETS = {"native": "processes on the machine itself", "docker": "Docker containers"}

_HOSTING = {"github-hosted": "GitHub-hosted runner", "local": "local machine"}

_MACHINE_CLASS = re.compile(r"(?P<hosting>github-hosted|local)-(?P<architecture>\w+)-(?P<cpus>\d+)cpu")

NOT_RANKED = {
    Limit.SOURCE: "not ranked: the emulated data source was the limit, not the app",
    Limit.BACKEND: "not ranked: the backend was the limit, not the app",
    Limit.WAITING: "not ranked: all connections were waiting as the scenario asks, the app could do more",
    Limit.HANDLERS: "not ranked: the app left CPU time unused while requests waited, as it has too few handler "
    "threads or takes requests in waves",
    Limit.LOAD_GENERATOR: "not ranked: the load generator was the limit, the app could do more",
    Limit.NOISE: "not ranked: something other than the app, such as another process, was the limit",
}

TOTAL_LIMITS = {
    Limit.WAITING: "limited by the waiting that the scenario asks for: no app could be much faster",
    Limit.HANDLERS: "limited by the number of the app's handlers, which left CPU time unused",
    Limit.LOAD_GENERATOR: "limited by the load generator: the app could do more",
    Limit.NOISE: "limited by something other than the app, such as another process",
}
"""What limited a total, but for the app itself, which needs no word."""

READING = {
    "rank": "one more than the number of rows that are certainly faster, whose whole interval lies above this row's. "
    "Rows with the same rank (1=) cannot be told apart by these rounds.",
    "req/s": "median of the rounds that count, with its 95 % bootstrap interval; wrk keeps all connections busy. Like "
    "CPU time it is scaled to the best pace of the CPUs, which is probed beside each round: neighbours on the same "
    "core slow them unseen.",
    "limited by": "only rows that the app itself limited are ranked. The notes under a table say why others are not.",
    "p50, p75, p99 at req/s": "latency when oha sends requests at that fixed rate, a share of what the cell can do, "
    "corrected for requests that had to wait.",
    "CPU µs per request": "user and system time of all of the app's processes. It is steadier than throughput.",
    "peak memory": "resident, of all of the app's processes, under load; 1 MB is 1,000,000 bytes.",
    "saturated": "latency that wrk saw at full throughput, as older boards print it. It follows from the number of "
    "connections and says little about the framework.",
    "overhead": "time of a request above what the scenario asks for: above the 20 ms of waiting at the fixed rate, "
    "where nobody queues; above what one bcrypt hash costs alone on the same CPU, measured beside each round by the "
    "library of the Python entries. Other languages have other libraries, whose difference is in the figure.",
    "total": "from the first request of a batch to the last answer. best and worst are marked where the intervals "
    "can tell; an x is a batch that was not answered in full within 30 s.",
    "size": "what is installed for the entry: a virtual environment, a binary, or a program with the packages beside "
    "it; in Docker the image. Natively the system's libraries and the language's runtime are not in it.",
    "packages": "what the entry is built from or brings along, with all that these need in turn, counted as its "
    "package manager does.",
    "✓, by hand, –": "a mark that the framework makes from types, decorators and docstrings; one that the entry "
    "has to write itself; one that it does not have. The score counts the first kind.",
    "% of reference": "throughput over that of the reference in the same round of the same job.",
}
"""The columns that need a word."""

REFERENCE = "the reference: it never changes, is measured beside the others in every job, and is not ranked"


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
    """Why a row is not ranked or not shown with all of its rounds; None where there is nothing to say."""
    if said := reason_against(row):
        return said
    parts = []
    if row.reference:
        parts.append(REFERENCE)
    elif row.limit and row.limit != Limit.APP:
        parts.append(NOT_RANKED[row.limit])
    elif row.rank is None:
        parts.append("not ranked: only one round counts, which has no interval")
    if row.remark:
        parts.append(row.remark)
    if row.stale:
        parts.append(f"stale, of {row.measured:%Y-%m-%d}: {row.stale}")
    return "; ".join(parts) or None


def total_reason(total: Total) -> str | None:
    """Why there is no total, or what limited it where that was not the app; None where there is nothing to say."""
    if total.failure:
        return f"x: {total.failure}"
    if total.not_run:
        return f"not run: {total.not_run}"
    return TOTAL_LIMITS.get(total.limit) if total.limit else None


def ceiling(ceilings: Sequence[Ceiling]) -> str:
    """What a suite's backend gave on its own, in a sentence or two."""
    cached, uncached = [c.cached for c in ceilings], [c.uncached for c in ceilings]
    return (
        f"Ceiling: without an app the cache answers {_between(cached)} requests per second, "
        f"{min(c.cached / c.uncached for c in ceilings):.0f} times what Solr gives without it ({_between(uncached)}). "
        f"A cell that comes within 10 % of the cache is limited by it and not ranked. "
        f"{ceilings[0].versions}: up, filled and warm after {max(c.start_seconds for c in ceilings):.1f} s, "
        f"{max(c.memory_bytes for c in ceilings) / 1e6:,.0f} MB resident together."
    )


def _between(rates: Sequence[float]) -> str:
    low, high = f"{min(rates):,.0f}", f"{max(rates):,.0f}"
    return low if low == high else f"{low} to {high}"


def leader(table: Table) -> str:
    """One sentence with the fastest row and its figure: what the chart shows, for who cannot see it."""
    ranked = [row for row in table.rows if row.rank is not None]
    if not ranked or ranked[0].throughput is None:
        return "no row is ranked"
    label, best = ranked[0].label, f"{interval(ranked[0].throughput)} requests per second"
    tied = sum(row.rank == 1 for row in ranked) - 1
    if tied:
        return f"{label} and {tied} other{'s' if tied > 1 else ''} share the lead, highest median {best}"
    return f"{label} leads with {best}"
