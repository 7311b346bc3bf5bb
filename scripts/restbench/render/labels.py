"""The sentences of the board: reasons, notes, and what variants are."""

import re
from collections.abc import Iterable, Sequence

from restbench.board.models import Reference, Section, Setting, Total
from restbench.board.rows import Chain, Row, Table
from restbench.catalog.lacks import Lack
from restbench.catalog.profiles import PUBLISHED, find_profile
from restbench.measure.duration import least_rate_for_p99
from restbench.render.formats import BEHIND, at_least, dates, figure, gibibytes, interval
from restbench.render.grid import Badge
from restbench.results.models import MOST_EARLIER, Ceiling, Limit, Machine, RateKind
from restbench.stats.histograms import FEWEST
from restbench.stats.intervals import ROUNDS_FOR_MEDIAN
from restbench.system.programs import Others
from restbench.system.quotas import Quota

_TARGETS = {"native": "processes on the machine itself", "docker": "Docker containers"}

_HOSTING = {"github-hosted": "GitHub-hosted runner", "local": "local"}

_MACHINE_CLASS = re.compile(
    r"(?P<hosting>github-hosted|local)-((?P<kind>vm|wsl|laptop)-)?(?P<architecture>\w+)-((?P<app>\d+)of)?(?P<cpus>\d+)cpu(-(?P<more>.+))?"
)
KINDS = {"vm": "virtual machine", "wsl": "machine under WSL", "laptop": "laptop"}
"""The kinds of machines."""

TOTAL_LIMITS = {
    Limit.WAITING: "limited by the waiting that the scenario asks for: no app could be much faster",
    Limit.HANDLERS: "limited by the number of the app's handlers, which left CPU time unused",
    Limit.LOAD_GENERATOR: "limited by the load generator: the app could do more",
    Limit.NOISE: "limited by something other than the app, such as another process",
}
"""What kept a total from being shorter. The limit `app` needs no explanation and is left out."""

ENOUGH_FOR_P99 = (
    f"the profile {PUBLISHED} sends {FEWEST[99]:,} requests where the common rate is "
    f"{least_rate_for_p99(find_profile(PUBLISHED))} per second or more, and up to {MOST_EARLIER + 1} runs of the same "
    "code are pooled"
)
"""How a 99th percentile comes about."""

MOST_NAMED = 6
"""How many rows that share the first place a sentence names."""

MOST_OF_A_GROUP = 12
"""How many frameworks of a group are named where the first groups of a table are listed."""

LACKING = "what-they-lack"
"""The anchor of the list of what frameworks lack, on each page whose tables have badges."""

VARIANTS = {
    "raw": "plain values of the language, read and written by the framework's default JSON library",
    "orjson": "as raw, with the library orjson",
    "resources": "as raw, with Laravel's rules and API resources",
    "typed": "types of the language, which the framework or its usual library reads, checks and writes",
    "dataclasses": "Python's dataclasses",
    "attrs": "classes of the library attrs",
    "msgspec": "structs of msgspec, which reads, checks and writes them in C",
    "pydantic": "models of pydantic",
    "marshmallow": "schemas of marshmallow",
    "marshal": "Flask-RESTX's own models",
    "serializers": "Django REST framework's serializers",
}
"""Variant → what it is, in a few words. The contract says what each has to do."""


def variants(rows: Iterable[Row]) -> dict[str, str]:
    """The variants of these rows that are explained, in the order of VARIANTS → what they are."""
    here = {row.cell.variant for row in rows}
    return {name: text for name, text in VARIANTS.items() if name in here}


def order(table: Table) -> str:
    """Says what the rows of a table are sorted by."""
    if not table.compared:
        return "Sorted by requests per second as measured: no row is compared."
    if table.linked:
        return "Sorted by speed, which is CPU time per request, in % of the first row's."
    return "Sorted by requests per second as measured: nothing links the languages here, so there is no share."


def machine_class(name: str) -> str:
    """Describes a machine class that the harness derived. A name that a person chose is returned unchanged."""
    match = _MACHINE_CLASS.fullmatch(name)
    if not match:
        return name
    hosting = _HOSTING[match["hosting"]]
    if match["hosting"] == "local":
        hosting += f" {KINDS[match['kind']] if match['kind'] else 'machine'}"
    cpus = int(match["cpus"])
    app = f", {match['app']} for the app" if match["app"] else ""
    more = f", {match['more']}" if match["more"] else ""
    return f"{hosting}, {match['architecture']}, {cpus} CPU{'s' if cpus > 1 else ''}{app}{more}"


def setting_title(setting: Setting) -> str:
    """The heading of a section."""
    target = _TARGETS.get(setting.target, setting.target)
    return f"{machine_class(setting.machine_class)}: {target}, profile {setting.profile}"


def measured_on(section: Section) -> str:
    """Says when, how and on what a section was measured."""
    setting, machines = section.setting, section.machines
    how = "in Docker" if setting.target == "docker" else "natively"
    models, memory = _each(m.cpu_model for m in machines), _each(gibibytes(m.memory_bytes) for m in machines)
    hosting = machine_class(setting.machine_class).partition(",")[0]
    where = f"a {hosting} with {_counted(_each(str(m.cpus) for m in machines), 'CPU')} ({models}) and {memory}"
    when = dates(section.first, section.last)
    return f"measured {when} {how} (profile {setting.profile}) on {where}; {_split(machines)}"


def _split(machines: Sequence[Machine]) -> str:
    """Which CPUs apps and load generators had."""
    if not all(machine.pinned for machine in machines):
        return "app and load generator shared all CPUs"
    app, load = _each(str(len(m.app_cpus)) for m in machines), _each(str(len(m.load_cpus)) for m in machines)
    return f"each app had {_counted(app, 'CPU')}, the load generator {load}"


def _each(values: Iterable[str]) -> str:
    """The different values: "A", or "A or B"."""
    return " or ".join(sorted(set(values)))


def _counted(number: str, noun: str) -> str:
    return f"{number} {noun}{'' if number == '1' else 's'}"


def reason_against(row: Row) -> str | None:
    """Why the row's cell was not run or failed; None if it was measured."""
    stale = f"; stale: {row.stale}" if row.stale else ""
    if row.cell.not_run:
        return f"not run: {row.cell.not_run}{stale}"
    return f"failed: {row.failure}{stale}" if row.failure else None


def reason(row: Row) -> str | None:
    """The note for a row: what a reader has to know about its place and its figures. None if there is nothing."""
    if against := reason_against(row):
        return against
    about_place = {
        None: "not compared: no round counts",
        Limit.LOAD_GENERATOR: "the load generator was its limit: the app could do more, and CPU time says how much",
    }
    parts = [
        about_place.get(row.limit),
        row.not_compared,
        *row.remarks,
        row.refused if row.cell.solo.count < ROUNDS_FOR_MEDIAN else None,
        f"stale, measured on {row.measured:%Y-%m-%d}: {row.stale}" if row.stale else None,
    ]
    return "; ".join(filter(None, parts)) or None


def shows_p99(rows: Iterable[Row], kind: RateKind) -> bool:
    """Whether the 99th percentile is known in at least half of the rows whose latency was measured."""
    found = [at.p99 is not None for row in rows if (at := row.latency.get(kind)) and at.p50 is not None]
    return 2 * sum(found) >= len(found)


def latency_reason(row: Row, kind: RateKind) -> str | None:
    """Why a percentile of a latency that was measured is not known. None if all are, or if it was not measured."""
    at = row.latency.get(kind)
    if at is None or at.p99 is not None:
        return None
    missing = "p99" if at.p50 is not None else "percentiles"
    needed = FEWEST[99 if at.p50 is not None else 50]
    which = "the common rate" if kind is RateKind.COMMON else "half of its req/s"
    refused = f"; rounds were refused: {at.refused}" if at.refused else ""
    return f"{missing} at {which}: fewer than {needed:,} requests so far{refused}"


def badges(row: Row) -> tuple[Badge, ...]:
    """What the row's framework lacks, in a few words each, with links to the sentences of `lacking`."""
    return tuple(Badge(lack.badge, f"#{LACKING}") for lack in _lacks(row))


def _lacks(row: Row) -> list[Lack]:
    return row.entry.lacks_in(row.cell.suite, row.cell.scenario, row.cell.variant)


def lacking(rows: Iterable[Row]) -> dict[Lack, list[str]]:
    """What frameworks of these rows cannot do, where the contract allows it → the titles of those frameworks."""
    found: dict[Lack, dict[str, None]] = {}
    for row in rows:
        for lack in _lacks(row):
            found.setdefault(lack, {})[row.title] = None
    return {lack: sorted(titles, key=str.casefold) for lack, titles in found.items()}


def limited_by(row: Row) -> str:
    """What limited the row. Without a limit: "failed", "not run" or "refused"."""
    if row.limit:
        return str(row.limit)
    return "failed" if row.failure else "not run" if row.cell.not_run else "refused"


def total_reason(total: Total) -> str | None:
    """Why there is no total, or what limited the total if it was not the app. None if there is nothing to say."""
    if total.failure:
        return f"x: {total.failure}"
    if total.not_run:
        return f"not run: {total.not_run}"
    return TOTAL_LIMITS.get(total.limit) if total.limit else None


def reference(found: Reference) -> str:
    """Says how many requests per second the load generator can drive."""
    if found.throughput is None:
        return f"How much the load generator can drive is not known: {found.title}: {found.failure}."
    driven = ("at least " if found.at_least else "") + interval(found.throughput)
    return (
        f"The load generator can drive {driven} requests per second here, measured with {found.title}'s static answers."
    )


def ceiling(ceilings: Sequence[Ceiling]) -> str:
    """Describes the throughput, start and memory of a suite's backend on its own."""
    cached, uncached = [c.cached for c in ceilings], [c.uncached for c in ceilings]
    return (
        f"Ceiling: without an app the cache answers {_between(cached)} requests per second. Solr without the cache "
        f"gives {_between(uncached)}; in each run the cache gave at least "
        f"{min(c.cached / c.uncached for c in ceilings):.0f} times as many. A row whose throughput is within 10 % of "
        f"the cache's is limited by the cache. {ceilings[0].versions}: filled and answering correctly "
        f"{max(c.start_seconds for c in ceilings):.1f} s after their start; together they use "
        f"{max(c.memory_bytes for c in ceilings) / 1e6:,.0f} MB of resident memory."
    )


def _between(rates: Sequence[float]) -> str:
    low, high = f"{min(rates):,.0f}", f"{max(rates):,.0f}"
    return low if low == high else f"{low} to {high}"


def busiest(others: Others) -> str:
    """The load average, and the programs that used most CPU time: "load average 9.9; cargo: 92 % of a CPU"."""
    named = ", ".join(f"{name}: {share:.0%}".replace("%", " %") for name, share in others.programs)
    most = f"{named} of a CPU" if named else "no program that can be seen from here uses much"
    return f"load average {others.load_average:.1f}; {most}"


def throttling(quota: Quota | None) -> str:
    """What a quota did: "a CPU quota throttled this machine (0.5 CPUs, set in /sys/fs/cgroup/cpu.max)"."""
    return f"a CPU quota throttled this machine{f' ({quota})' if quota else ''}"


def shares(rows: Sequence[Row]) -> str:
    """The speeds of the rows of a group, which are in order: "100 to 78", or "100"."""
    ends = [figure(100 * row.share.middle) for row in (rows[0], rows[-1]) if row.share]
    return " to ".join(dict.fromkeys(ends))


def share(row: Row, bounds: bool = True) -> str:
    """The row's speed in percent of that of the first row, without the sign. Empty if the row has none."""
    if row.share is None:
        return ""
    percent = row.share.scaled(100)
    return interval(percent) if bounds else figure(percent.middle)


def fastest(table: Table) -> str:
    """Names the fastest rows in one sentence. It tells readers who cannot see the chart what the chart shows."""
    compared, level = table.compared, [row for row in table.rows if row.group == 1 and not row.behind]
    if not compared:
        return "no row is compared"
    if len(compared) == 1:
        return f"one row is compared: {compared[0].label}{_measured(compared[0])}"
    if not table.linked:
        first = table.measured[0]
        return f"{first.label} is the first of {len(table.measured)} rows, of which not all can be compared"
    if len(level) == 1:
        one, of_all = len(compared) == 2, len(table.measured) == len(compared)
        others = "the other row" if one else f"each of the {len(compared) - 1} other rows"
        others += "" if of_all else " that is compared" if one else " that are compared"
        return f"{level[0].label} is certainly more than 10 % faster than {others}{_measured(level[0])}"
    more = len(level) - MOST_NAMED
    named = [row.label for row in level[:MOST_NAMED]] + ([f"{more} more"] if more > 0 else [])
    how_many = f"{len(level)} of {len(compared)}" if len(level) < len(compared) else f"all {len(level)}"
    return f"{how_many} rows share the first place: {', '.join(named)}"


def chain(table: Table, found: Chain) -> str:
    """The frameworks of a language, the fastest first: "Falcon › Litestar, Sanic › FastAPI"."""
    groups = " › ".join(
        ", ".join(f"{name_in(table, row)}{BEHIND if row.behind else ''}" for row in group) for group in found.groups
    )
    left_out = ", ".join(row.title for row in found.not_compared)
    return "; ".join(filter(None, [groups, f"not compared: {left_out}" if left_out else ""]))


def name_in(table: Table, row: Row) -> str:
    """The framework's name, with the variant if the table has several of its variants."""
    several = sum(other.entry.id == row.entry.id for other in table.rows) > 1
    return row.label if several else row.name


def rate(row: Row) -> str:
    """The row's measured throughput, marked if it is a lower bound. Empty if there is none."""
    return at_least(figure(row.throughput.middle), row.limit == Limit.LOAD_GENERATOR) if row.throughput else ""


def _measured(row: Row) -> str:
    """The row's measured throughput as part of a sentence."""
    return f", with {rate(row).replace('≥', 'at least')} requests per second" if row.throughput else ""
