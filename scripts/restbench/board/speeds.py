"""Gives each row its speed: the throughput of the baseline ÷ relative cost, or the row's own throughput.

Throughput varies with the speed of the CPU. Relative cost hardly does, because a slow CPU slows both sides of a duet
round alike. The speeds of all rows of a language come from one throughput of the baseline, so they are comparable.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from restbench.board.models import Agreement
from restbench.board.rows import Place, Row, Table
from restbench.results.models import Limit
from restbench.stats.intervals import Interval, Kind


@dataclass(frozen=True)
class _Partner:
    """A baseline's cell that rows were measured against. `throughput` is None if it is not known.

    `shown` is true if the cell is a row of the table, and its language has no other partner in the table.
    """

    label: str
    throughput: float | None
    at_least: bool
    shown: bool


def with_speeds(rows: Sequence[Row]) -> list[Row]:
    """Adds speeds to the rows of one table. The order stays the same."""
    partners = _partners(rows)
    return [_with_speed(row, partners) for row in rows]


def agreement_of(tables: Iterable[Table]) -> Agreement | None:
    """How far derived speeds are from measured throughputs, over rows in which CPUs were the limit of both apps.

    None if there is no such row.
    """
    found = sorted(
        (abs(row.speed.middle / row.throughput.middle - 1), f"{row.label}, {table.title}")
        for table in tables
        for row in table.rows
        if row.derived and not row.speed_at_least and row.limit == Limit.APP and row.speed and row.throughput
    )
    if not found:
        return None
    worst, where = found[-1]
    return Agreement(len(found), median(difference for difference, _ in found), worst, where)


def _partners(rows: Sequence[Row]) -> dict[Place, _Partner]:
    """The baselines' cells that rows were measured against, with their throughputs.

    The throughput is that of the cell's own row. If there is none, it is the median of the baseline throughputs that
    were recorded with the other rows. All rows use this one figure, so their speeds keep the order of their costs.
    """
    measured = {row.place: row for row in rows if row.throughput}
    languages: dict[str, set[Place]] = {}
    for row in rows:
        if row.partner:
            languages.setdefault(row.language, set()).add(row.partner)
    partners = {}
    for places in languages.values():
        for place in places:
            own = measured.get(place)
            seen = [r.duets.baseline_throughput for r in rows if r.duets and r.partner == place]
            known = [throughput for throughput in seen if throughput is not None]
            throughput = own.throughput.middle if own and own.throughput else median(known) if known else None
            partners[place] = _Partner(
                label=own.label if own else " · ".join(filter(None, place)),
                throughput=throughput,
                at_least=own is not None and own.could_do_more,
                shown=own is not None and len(places) == 1,
            )
    return partners


def _with_speed(row: Row, partners: Mapping[Place, _Partner]) -> Row:
    if row.throughput is None:
        return row
    partner = partners.get(row.partner) if row.partner else None
    if partner and row.relative_cost and partner.throughput is not None:
        return replace(
            row,
            derived=True,
            speed=row.relative_cost.inverted().scaled(partner.throughput),
            speed_at_least=partner.at_least,
            measured_against=None if partner.shown else partner.label,
        )
    if partner is None and row.place in partners:
        return replace(row, baseline=True, speed=_exact(row.throughput), speed_at_least=row.could_do_more)
    return replace(
        row,
        speed=row.throughput,
        speed_at_least=row.could_do_more,
        measured_against=partner.label if partner and not partner.shown else None,
    )


def _exact(figure: Interval) -> Interval:
    """The figure without bounds. The speeds of a language are relative to it, so its own bounds do not count."""
    return Interval(figure.middle, figure.middle, figure.middle, figure.n, Kind.SINGLE)
