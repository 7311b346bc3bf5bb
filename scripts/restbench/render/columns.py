"""Every column of the tables of rows, declared once: for people, and for programs. Each medium lists names."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import zip_longest
from typing import TypeVar

from restbench.board.models import FactsRow
from restbench.board.rows import Row, RowKey, Table
from restbench.board.summary import of_frameworks
from restbench.render.formats import BEHIND, MISSING, at_least, figure, interval, megabytes, optional
from restbench.render.grid import Column, Text, noted
from restbench.render.labels import ENOUGH_FOR_P99, badges, latency_reason, limited_by, rate, reason, share, shows_p99
from restbench.results.models import Limit, RateKind
from restbench.stats.intervals import Interval, Kind

T = TypeVar("T")

Value = str | int | float | list[float] | None
"""What a data file has of a row."""

FASTEST_FIRST = "fastest first"
"""The header of the column with the chains of languages."""


@dataclass(frozen=True)
class Shown:
    """The rows of a table that is shown, and its notes, to which its cells refer.

    `table`: what all of the rows are in. None where they are of several tables. `screen`: there are bars, and the best
    row of each framework has the group that these have among each other. `link`: the page of a row's framework; else
    its home page.
    """

    rows: Sequence[Row]
    notes: Sequence[str] = ()
    table: Table | None = None
    screen: bool = False
    link: Callable[[Row], str] | None = None

    @cached_property
    def best(self) -> Mapping[RowKey, Row]:
        return {row.key: row for row in of_frameworks(self.table).rows} if self.table and self.screen else {}

    @cached_property
    def widest(self) -> float:
        return max((row.share.high for row in self.rows if row.share), default=1.0)

    @cached_property
    def longest(self) -> float:
        return max((row.throughput.middle for row in self.rows if row.throughput), default=1.0)

    @cached_property
    def languages(self) -> int:
        return len({row.language for row in self.rows})

    @cached_property
    def with_p99(self) -> Mapping[RateKind, bool]:
        return {kind: shows_p99(self.rows, kind) for kind in RateKind}

    @cached_property
    def usual_rate(self) -> int:
        """The common rate that most rows have."""
        rates = Counter(at.rate for row in self.rows if (at := row.latency.get(RateKind.COMMON)))
        return max(rates, key=lambda rate: (rates[rate], rate), default=0)


@dataclass(frozen=True)
class Declared:
    """A column. `title` is its header, where that is not its name, and `about` says how to read it.

    It is printed by `cell`, or as `figure` with its bounds, of which `show` makes the text of a cell. `brief` is how a
    terminal prints it: a header, and cells that are empty if nothing was measured. `data`: what it is for programs, as
    name → what that holds. These are `values` or, of a figure, its middle and its bounds.
    """

    cell: Callable[[Shown, Row], str | Text] | None = None
    title: str | Callable[[Shown], str] = ""
    about: str = ""
    number: bool = True
    required: bool = False
    figure: Callable[[Row], Interval | None] = lambda _: None
    show: Callable[[Row, str], str] = lambda _, text: text
    brief: tuple[str, Callable[[Row], str]] = ("", lambda _: "")
    data: Mapping[str, str] = field(default_factory=dict)
    values: Callable[[Row], Sequence[Value]] | None = None

    def column(self, name: str, shown: Shown, headed: bool, folded: bool, required: bool) -> Column[Row]:
        """The column in a table. `headed`: the header names the kind of bounds, if the figures have any.

        If they have both kinds, the header names the interval, and each range is marked in its cell.
        """
        title = self.title(shown) if callable(self.title) else self.title or name
        if self.cell:
            return Column(title, partial(self.cell, shown), self.number, self.required or required, folded)
        kinds = {value.kind for row in shown.rows if headed and (value := self.figure(row))} - {Kind.SINGLE}
        header = f"{title} ({Kind.INTERVAL if Kind.INTERVAL in kinds else Kind.RANGE})" if kinds else title

        def cell(row: Row) -> str:
            value = self.figure(row)
            return self.show(row, MISSING if value is None else interval(value, name_range=len(kinds) != 1))

        return Column(header, cell, self.number, self.required or required, folded)

    def for_programs(self, row: Row) -> dict[str, Value]:
        values, figure = self.values(row) if self.values else (), self.figure(row)
        if figure and not values:
            values = (figure.middle,) if figure.kind is Kind.SINGLE else (figure.middle, figure.low, figure.high)
        return dict(zip_longest(self.data, values[: len(self.data)]))


def columns(
    names: Iterable[str], shown: Shown, headed: bool = False, folded: bool = False, required: bool = False
) -> list[Column[Row]]:
    """The columns with those names."""
    return [COLUMNS[name].column(name, shown, headed, folded, required) for name in names]


def reasons_of(rows: Sequence[Row], kinds: Iterable[RateKind] = RateKind) -> list[str]:
    """The notes of a table of these rows. Equal reasons share one note. `kinds`: the latencies that it shows."""
    reasons = [*map(reason, rows)]
    for kind in kinds:
        known = shows_p99(rows, kind)
        # even the median of a latency that was measured may not be known
        unknown = [row for row in rows if known or ((at := row.latency.get(kind)) and at.p50 is None)]
        reasons += [latency_reason(row, kind) for row in unknown]
        reasons += [] if known else [f"p99 is left out, as most rows lack requests: {ENOUGH_FOR_P99}"]
    return list(dict.fromkeys(filter(None, reasons)))


def language_column(lines: Sequence[T], row: Callable[[T], Row | FactsRow]) -> list[Column[T]]:
    """The column with the language of each line. Empty if all lines have the same language."""
    if len({row(line).language for line in lines}) < 2:
        return []
    return [Column("language", lambda line: row(line).language)]


def group(row: Row) -> str:
    """The row's group. A row that is certainly slower than the first of its group is marked."""
    return f"{row.group}{BEHIND if row.behind else ''}" if row.group else MISSING


def framework(row: Row, variant: str | None = None) -> Text:
    """The framework's name, perhaps with its variant, and all that it runs with."""
    flags = [row.run.version or "", "(unmaintained)" if row.entry.unmaintained else "", "(stale)" if row.stale else ""]
    detail = [" ".join(filter(None, flags)), row.run.server or "", row.cell.json_library or ""]
    name = " · ".join(filter(None, [row.title, variant]))
    return Text(name, row.entry.manifest.homepage, " · ".join(filter(None, detail)), badges=badges(row))


def _named(shown: Shown, row: Row) -> Text:
    flags = ["unmaintained" if row.entry.unmaintained else "", "stale" if row.stale else ""]
    detail = " · ".join(filter(None, [row.cell.variant or "", *flags]))
    page = shown.link(row) if shown.link else row.entry.manifest.homepage
    return Text(row.title, page, detail, badges=badges(row))


def _speed(shown: Shown, row: Row) -> Text:
    """It has a bar in the colour of the language, with its interval."""
    if row.share is None or not shown.screen:
        return Text(share(row) or MISSING)
    bounds = (row.share.low / shown.widest, row.share.high / shown.widest) if row.share.certain else None
    return Text(share(row), bar=row.share.middle / shown.widest, bounds=bounds, colour=row.entry.language.colour)


def _requests(shown: Shown, row: Row) -> Text:
    """Where nothing links the languages of a table, this orders its rows and has the bar."""
    if row.disturbed:
        return Text(figure(row.disturbed), detail="disturbed", tone="disturbed")
    if row.throughput is None or not shown.table:
        return Text(optional(interval, row.throughput))
    bar = None if shown.table.linked else row.throughput.middle / shown.longest
    return Text(rate(row), bar=bar, colour=row.entry.language.colour)


def _throughput(row: Row, text: str) -> str:
    return at_least(text, row.limit == Limit.LOAD_GENERATOR)


def _percentiles(kind: RateKind, shown: Shown) -> str:
    return "p50 / p90 / p99" if shown.with_p99[kind] else "p50 / p90"


def _latency(kind: RateKind, shown: Shown, row: Row) -> Text:
    """The percentiles at a rate. One that is not known refers to its reason. A rate that is not usual is named."""
    at, with_p99 = row.latency.get(kind), shown.with_p99[kind]
    if at is None:
        return Text(MISSING)
    percentiles = (at.p50, at.p90, at.p99) if with_p99 else (at.p50, at.p90)
    text = " / ".join(optional(figure, each) for each in percentiles) if at.p50 else MISSING
    unusual = kind is RateKind.COMMON and shown.table and at.rate != shown.usual_rate
    why = latency_reason(row, kind) if with_p99 or not at.p50 else None
    return noted(text, why, shown.notes, f"(at {at.rate:,}/s)" if unusual else "")


def _p99(row: Row) -> str:
    common = row.latency.get(RateKind.COMMON)
    return f"{common.p99:.1f}" if common and common.p99 is not None else ""


def _latencies(row: Row) -> Sequence[Value]:
    common = row.latency.get(RateKind.COMMON)
    return (common.p50, common.p90, common.p99, common.requests) if common else ()


def _own_cost(row: Row) -> str:
    return "1" if row.is_baseline else interval(row.relative_cost) if row.relative_cost else ""


COLUMNS = {
    "group": Declared(
        lambda shown, row: group(shown.best.get(row.key, row)),
        about="every row of a group is certainly more than 10 % slower than the first row of the group before. A row "
        f"with {BEHIND} is certainly slower than the first row of its own group, too, but one further down is not, and "
        "holds it there. Within a group the order is that of the figures, and may be another on your machine. Of "
        "tables whose rows are all equal, at most 5 % would have more than one group. All rows of a table share that "
        "level, so a row that joins may change the groups of others, but never their order.",
        required=True,
        brief=("group", lambda row: group(row) if row.group else "✗" if row.failure else ""),
        data={
            "group": "the number of its group; empty where the row is not compared",
            "not_compared": "why the row is not compared",
        },
        values=lambda row: [row.group, None if row.compared else row.not_compared or reason(row)],
    ),
    "framework": Declared(
        _named,
        number=False,
        required=True,
        brief=("framework", lambda row: f"{row.title} {row.run.version or ''}".strip()),
        data={"entry": "language/framework"},
        values=lambda row: [row.entry.id],
    ),
    "framework, and what it runs with": Declared(
        lambda _, row: framework(row, row.cell.variant),
        "framework",
        "its version, its server if it is not the framework's own, and the library for JSON.",
        number=False,
        required=True,
    ),
    "variant": Declared(
        lambda _, row: row.cell.variant or MISSING,
        number=False,
        brief=("variant", lambda row: row.cell.variant or ""),
        data={
            "variant": "how the entry reads and writes JSON: raw, or a library that validates; empty without variants"
        },
        values=lambda row: [row.cell.variant],
    ),
    "speed, % of the first": Declared(
        _speed,
        about="the speed as a share of that of the first row. Speed is estimated from CPU time per request: the row's "
        "relative cost, and what the baselines of all languages cost when they were measured together. The interval is "
        "that of the comparison with the first row. A row whose app did not use its CPUs fully is in no group. It is "
        "placed by its measured throughput.",
        brief=("speed, %", partial(share, bounds=False)),
        figure=lambda row: row.share.scaled(100) if row.share else None,
        data={
            "percent_of_best": "speed in % of the first row's, by CPU time per request; by throughput where it is not "
            "compared; empty where nothing links the languages",
            "percent_of_best_low": "of the 95 % interval of the comparison with the first row",
            "percent_of_best_high": "of the 95 % interval of the comparison with the first row",
        },
    ),
    "requests per second": Declared(_requests),
    "language": Declared(lambda shown, row: row.language if shown.languages > 1 else MISSING, number=False),
    "relative cost": Declared(
        figure=lambda row: row.relative_cost,
        show=lambda row, text: "1 (baseline)" if row.is_baseline else text,
        about="the app's CPU time per request ÷ that of the baseline, an entry of the same language. Both are loaded "
        "alone, in turn, in one job. A row with 0.5 needs half of the baseline's CPU time. It is the mean over up to "
        "eight runs of unchanged code. The 95 % interval is that of the rounds.",
        brief=("relative cost", _own_cost),
        data={
            "relative_cost": "CPU time per request ÷ that of the language's baseline, each alone, in one job; the mean "
            "over up to eight runs of unchanged code",
            "relative_cost_low": "of the 95 % interval",
            "relative_cost_high": "of the 95 % interval",
        },
    ),
    "req/s": Declared(figure=lambda row: row.throughput, show=_throughput),
    "req/s measured": Declared(
        figure=lambda row: row.throughput,
        show=_throughput,
        about="the median throughput of the rounds. In a round the app is loaded alone, and all connections are kept "
        "busy. The figure is not corrected in any way, so it varies with the speed of the machine. ≥ marks a lower "
        "bound: the load generator was the limit.",
        brief=("measured req/s", rate),
        data={
            "throughput": "requests per second, median of the rounds",
            "throughput_low": "of the 95 % interval or, with fewer than six rounds, the slowest round",
            "throughput_high": "of the 95 % interval or, with fewer than six rounds, the fastest round",
        },
    ),
    "bottleneck": Declared(
        lambda shown, row: noted(limited_by(row), reason(row), shown.notes),
        about="what kept the measured throughput from being higher. If it was not the app, a note under the table says "
        "what follows.",
        number=False,
        required=True,
        brief=("bottleneck", limited_by),
        data={
            "bottleneck": "what kept the throughput from being higher, or failed, refused, not run",
            "reason": "why there is no figure",
        },
        values=lambda row: [limited_by(row), row.failure or row.cell.not_run or row.refused],
    ),
    "p50 / p90 / p99": Declared(
        partial(_latency, RateKind.COMMON),
        lambda s: f"{_percentiles(RateKind.COMMON, s)}{f' at {s.usual_rate:,} req/s' if s.table else ''}, ms",
        "the median, the 90th and the 99th percentile of latency. One column is at the same rate for all apps of a "
        "table. The other is at half of each app's own measured throughput. A request is timed from when it was due, "
        "so time that it had to wait counts. The requests of all rounds count, and of up to eight runs of the same "
        "code. A percentile needs ten requests beyond it: p99 1,000 in all, the others 100. An app without a figure at "
        "the common rate cannot sustain that rate.",
        brief=("p99 ms", _p99),
        data={
            "p50_ms": "latency at the common rate",
            "p90_ms": "latency at the common rate",
            "p99_ms": "latency at the common rate; each percentile is empty where too few requests count",
            "latency_requests": "requests that count at the common rate",
        },
        values=_latencies,
    ),
    "latency at half of its req/s": Declared(
        partial(_latency, RateKind.HALF), lambda shown: f"{_percentiles(RateKind.HALF, shown)} at half of its req/s, ms"
    ),
    "CPU µs per request": Declared(
        figure=lambda row: row.cpu_us,
        about="user and system time of all processes of the app. It varies with the speed of the machine; relative "
        "cost does not.",
        brief=("CPU µs/req", lambda row: figure(row.cpu_us.middle) if row.cpu_us else ""),
        data={
            "cpu_us": "CPU µs per request, median of the rounds",
            "cpu_us_rounds": "CPU µs per request in each round that counts",
        },
        values=lambda row: [row.cpu_us.middle, row.cell.solo.cpu_us] if row.cpu_us else [],
    ),
    "peak memory": Declared(
        lambda _, row: optional(megabytes, row.memory_bytes),
        "peak memory, MB",
        "the highest resident memory of all processes of the app together, under load. 1 MB is 1,000,000 bytes.",
        brief=("MB", lambda row: "" if row.memory_bytes is None else f"{row.memory_bytes / 1e6:.0f}"),
        data={"memory_bytes": "peak under load"},
        values=lambda row: [row.memory_bytes],
    ),
    "overhead": Declared(
        figure=lambda row: row.overhead,
        title="overhead, ms",
        about="time per request above the waiting or computing that the scenario asks for. For waiting it is the "
        "median latency at the common rate − the waiting time. For bcrypt it is the CPU time of a request (total × the "
        "number of the app's CPUs ÷ the number of requests) − the time of one hash, which is timed alone on the same "
        "CPU. It is shown only where the entry hashes with the library that was timed.",
    ),
    "total": Declared(
        figure=lambda row: row.seconds,
        title="total, s",
        about="time from the first request of a batch to its last answer. best: no other entry is certainly faster. "
        "worst: no other entry is certainly slower. x: the batch failed, for example because it was not answered in "
        "full in time. A note gives the reason.",
        data={"seconds": "total time of a batch"},
    ),
    "version": Declared(
        lambda _, row: row.run.version or MISSING,
        number=False,
        data={"version": "of the framework"},
        values=lambda row: [row.run.version],
    ),
    "server": Declared(lambda _, row: row.run.server or MISSING, number=False),
    "JSON": Declared(
        lambda _, row: row.cell.json_library or MISSING,
        number=False,
        data={"json_library": "what reads and writes the JSON"},
        values=lambda row: [row.cell.json_library],
    ),
    "measured": Declared(
        lambda _, row: row.measured.date().isoformat(),
        number=False,
        data={"measured": "when the run started, as ISO 8601"},
        values=lambda row: [row.measured.isoformat()],
    ),
}


def _explained(*names: str) -> dict[str, str]:
    return {name: COLUMNS[name].about for name in names}


READING = {
    **_explained("group"),
    FASTEST_FIRST: "the frameworks of a language, each with its best row. › stands between groups, and commas within "
    "a group. Only the rows of the language are compared here, so more of them can be told apart than in the table.",
    "framework": COLUMNS["framework, and what it runs with"].about,
    **_explained("speed, % of the first", "relative cost", "req/s measured"),
    "95 % interval, range": "a 95 % interval covers the true figure in 95 % of cases. A median needs at least six "
    "rounds for an interval. With fewer rounds the table shows the range from the smallest to the largest round "
    "instead. A range makes no claim about the true figure.",
    **_explained("bottleneck", "p50 / p90 / p99", "CPU µs per request", "peak memory", "overhead", "total"),
    "size": "the bytes of all files that are installed for the entry. Natively this is a virtual environment, a "
    "binary, or a program with its packages, without the system's libraries and the language's runtime. In Docker it "
    "is the image with its base, not compressed. Figures from before sizes were counted in this way are left out.",
    "packages": "the number of packages that the entry is built from or installs, with all of their dependencies. The "
    "language's package manager counts them.",
    "headers, Date header": "the bytes of the status line and the headers of the app's first right answer, and whether "
    "there is a Date among them. A server sends them with each answer, and some send fewer.",
    "✓, library, by hand, –": "✓: the framework makes the feature from types, decorators and docstrings. library: a "
    "library of another project does, which the framework's users take with it. by hand: the entry has to write the "
    "feature itself. –: the entry lacks the feature. The score is the number of ✓ and of those by a library.",
}
"""What each column of the tables shows. Columns that explain themselves are left out."""
