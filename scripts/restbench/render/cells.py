"""The cells that several tables of scenarios have in common."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from restbench.board.models import FactsRow
from restbench.board.rows import Row
from restbench.render.formats import BEHIND, MISSING, at_least, figure, interval, optional
from restbench.render.grid import Column, Text, noted
from restbench.render.labels import badges, latency_reason, limited_by, reason, shows_p99
from restbench.results.models import Limit, RateKind
from restbench.stats.histograms import FEWEST
from restbench.stats.intervals import Interval, Kind

T = TypeVar("T")

_BASELINE = "1 (baseline)"

_WITHOUT_P99 = (
    f"p99 is left out: it needs {FEWEST[99]:,} requests, which most rows do not have yet. Requests are pooled over runs"
)


def latency_title(rows: Sequence[Row], kind: RateKind) -> str:
    """The percentiles that a column of latencies shows."""
    return "p50 / p90 / p99" if shows_p99(rows, kind) else "p50 / p90"


def reasons_of(rows: Sequence[Row], kinds: Iterable[RateKind] = RateKind) -> list[str]:
    """The notes of a table of these rows. Equal reasons share one note. `kinds`: the latencies that it shows."""
    said = [*map(reason, rows)]
    for kind in kinds:
        known = shows_p99(rows, kind)
        said += [latency_reason(row, kind) for row in rows if known or _is_unknown(row, kind)]
        said += [] if known else [_WITHOUT_P99]
    return list(dict.fromkeys(filter(None, said)))


def _is_unknown(row: Row, kind: RateKind) -> bool:
    """Whether even the median of a latency that was measured is not known."""
    at = row.latency.get(kind)
    return at is not None and at.p50 is None


def bottleneck_column(reasons: Sequence[str]) -> Column[Row]:
    """What limited each row, with the number of its note."""
    return Column("bottleneck", lambda row: noted(limited_by(row), reason(row), reasons), required=True)


def group(row: Row) -> str:
    """The row's group. A row that is certainly slower than the first of its group is marked."""
    return f"{row.group}{BEHIND if row.behind else ''}" if row.group else MISSING


def framework(row: Row) -> Text:
    flags = [row.version or "", "(unmaintained)" if row.unmaintained else "", "(stale)" if row.stale else ""]
    detail = [" ".join(filter(None, flags)), row.server or "", row.json_library or ""]
    return Text(row.title, row.homepage, " · ".join(filter(None, detail)), badges=badges(row))


def named(row: Row, link: Callable[[Row], str] | None = None) -> Text:
    """The framework's name with its variant, as it is on screens. `link`: its page; else its home page."""
    flags = ["unmaintained" if row.unmaintained else "", "stale" if row.stale else ""]
    detail = " · ".join(filter(None, [row.variant or "", *flags]))
    return Text(row.title, link(row) if link else row.homepage, detail, badges=badges(row))


def language_column(lines: Sequence[T], row: Callable[[T], Row | FactsRow]) -> list[Column[T]]:
    """The column with the language of each line. Empty if all lines have the same language."""
    if len({row(line).language for line in lines}) < 2:
        return []
    return [Column("language", lambda line: row(line).language)]


def interval_column(
    title: str,
    rows: Sequence[Row],
    read: Callable[[Row], Interval | None],
    show: Callable[[Row, str], str] = lambda _, text: text,
    folded: bool = False,
) -> Column[Row]:
    """A column of figures with their bounds. The header names the kind of the bounds.

    If the rows have both kinds, the header names the interval, and each range is marked in its cell.
    """
    kinds = {value.kind for row in rows if (value := read(row))} - {Kind.SINGLE}
    header = f"{title} ({Kind.INTERVAL if Kind.INTERVAL in kinds else Kind.RANGE})" if kinds else title

    def cell(row: Row) -> str:
        value = read(row)
        return show(row, MISSING if value is None else interval(value, name_range=len(kinds) > 1))

    return Column(header, cell, number=True, folded=folded)


def relative_cost(row: Row, text: str) -> str:
    return _BASELINE if row.is_baseline else text


def throughput(row: Row, text: str) -> str:
    return at_least(text, row.limit == Limit.LOAD_GENERATOR)


def latency(kind: RateKind, rows: Sequence[Row], reasons: Sequence[str] = ()) -> Callable[[Row], Text]:
    """The cell with the percentiles at a rate. One that is not known refers to its reason among `reasons`.

    `rows`: all of the table, which decide whether it shows p99.
    """
    with_p99 = shows_p99(rows, kind)

    def show(row: Row) -> Text:
        at = row.latency.get(kind)
        if at is None:
            return Text(MISSING)
        shown = (at.p50, at.p90, at.p99) if with_p99 else (at.p50, at.p90)
        text = " / ".join(optional(figure, each) for each in shown) if at.p50 else MISSING
        return noted(text, latency_reason(row, kind) if with_p99 or not at.p50 else None, reasons)

    return show


def common_latency(rows: Sequence[Row], reasons: Sequence[str]) -> Column[Row]:
    """The column of latencies at the rate that most rows have. A row that was measured at another rate names it."""
    rates = Counter(at.rate for row in rows if (at := row.latency.get(RateKind.COMMON)))
    usual = max(rates, key=lambda rate: (rates[rate], rate), default=0)
    show = latency(RateKind.COMMON, rows, reasons)

    def cell(row: Row) -> Text:
        at = row.latency.get(RateKind.COMMON)
        return replace(show(row), detail=f"(at {at.rate:,}/s)" if at and at.rate != usual else "")

    return Column(f"{latency_title(rows, RateKind.COMMON)} at {usual:,} req/s, ms", cell, number=True)
