"""What a board must not say of itself: each contradiction in words, so that a test can be read and can fail."""

from collections.abc import Iterable
from itertools import combinations, pairwise
from math import isclose

from restbench.board import Board, Row, Table
from restbench.render.labels import leader


def contradictions(board: Board) -> list[str]:
    """All contradictions of a board; none where it is right."""
    return [
        f"{section.setting.target}, {section.setting.profile}, {suite.name}, {table.name}: {found}"
        for section in board.sections
        for suite in section.suites
        for table in suite.tables
        for found in _of_table(table)
    ]


def _of_table(table: Table) -> Iterable[str]:
    for row in table.rows:
        yield from _of_row(row)
    yield from _of_order(table)
    yield from _of_speeds(table)
    for one, other in combinations(table.ranked, 2):
        yield from _of_pair(one, other)
    yield from _of_lead(table)


def _of_row(row: Row) -> Iterable[str]:
    """A figure lies within its rounds, and within its own bounds."""
    if row.throughput is not None:
        fastest, slowest = max(row.solo.throughput), min(row.solo.throughput)
        if not slowest <= row.throughput.low <= row.throughput.middle <= row.throughput.high <= fastest:
            yield f"{row.label}: throughput {row.throughput} is outside of its rounds, {slowest} to {fastest}"
    for what, value in {"relative cost": row.relative_cost, "speed": row.speed}.items():
        if value is not None and not value.low <= value.middle <= value.high:
            yield f"{row.label}: {what} {value} is outside of its own bounds"
    if row.ranked and (row.speed is None or row.failure or row.not_run):
        yield f"{row.label}: has a rank and no figure"
    if row.ranked and not 1 <= (row.rank_first or 0) <= (row.rank_last or 0):
        yield f"{row.label}: ranks {row.rank_first} to {row.rank_last}"


def _of_order(table: Table) -> Iterable[str]:
    """Ranked rows come first, by speed, and both ends of their ranks follow it."""
    ranked = table.ranked
    if table.rows[: len(ranked)] != ranked:
        yield "rows that do not rank stand above rows that do"
    for above, below in pairwise(ranked):
        if _speed(above) < _speed(below):
            yield f"{below.label} is faster than {above.label} above it"
        if _first(above) > _first(below) or _last(above) > _last(below):
            yield f"ranks are not monotone: {above.label} above {below.label}"
        if _speed(above) == _speed(below) and (_first(above), _last(above)) != (_first(below), _last(below)):
            yield f"{above.label} and {below.label} are equally fast and have different ranks"
    if ranked and (_first(ranked[0]), _last(ranked[-1])) != (1, len(ranked)):
        yield f"ranks run from {_first(ranked[0])} to {_last(ranked[-1])} in {len(ranked)} rows"


def _of_speeds(table: Table) -> Iterable[str]:
    """Speed × relative cost is one throughput for all rows of a partner: that of its own row, where it has one."""
    places = {row.place: row for row in table.rows if row.throughput}
    for row in table.rows:
        if not (row.derived and row.speed and row.relative_cost and row.partner):
            continue
        product = row.speed.middle * row.relative_cost.middle
        own = places.get(row.partner)
        if own and own.throughput and not isclose(product, own.throughput.middle, rel_tol=1e-9):
            yield f"{row.label}: speed × relative cost is {product}, its baseline's throughput {own.throughput.middle}"
        for other in table.rows:
            if not (other.derived and other.partner == row.partner and other.speed and other.relative_cost):
                continue
            if not isclose(product, other.speed.middle * other.relative_cost.middle, rel_tol=1e-9):
                yield f"{row.label} and {other.label} have one baseline and two throughputs of it"


def _of_pair(one: Row, other: Row) -> Iterable[str]:
    """Rows whose ranks do not overlap differ in speed. If both have the same baseline, neither's interval of relative
    cost lies within the other's. The interval of a row that is told from its own baseline does not hold 1."""
    faster, slower = (one, other) if _last(one) < _first(other) else (other, one)
    if _last(faster) >= _first(slower):
        return
    if _speed(faster) <= _speed(slower):
        yield f"{faster.label} ranks before {slower.label} and is not faster"
    if faster.relative_cost and slower.relative_cost and faster.partner == slower.partner:
        a, b = faster.relative_cost, slower.relative_cost
        if (a.low >= b.low and a.high <= b.high) or (b.low >= a.low and b.high <= a.high):
            yield f"{faster.label} ranks before {slower.label}, and one's interval of relative cost holds the other's"
    for row, partner in ((faster, slower), (slower, faster)):
        if row.relative_cost and row.partner == partner.place and row.relative_cost.low <= 1 <= row.relative_cost.high:
            yield f"{row.label} ranks apart from its baseline, and its interval of relative cost holds 1"


def _of_lead(table: Table) -> Iterable[str]:
    """ "Leads" is said of the one row that can only be first, where all rows with figures rank."""
    alone = [row for row in table.ranked if (_first(row), _last(row)) == (1, 1)]
    may = len(alone) == 1 and len(table.ranked) > 1
    may = may and not any(row.speed or row.relative_cost for row in table.rows if not row.ranked)
    may = may and all(_first(row) > 1 for row in table.ranked if row is not alone[0])
    if (" leads " in leader(table)) != may:
        yield f'{"may" if may else "may not"} say "leads", and says: {leader(table)}'


def _speed(row: Row) -> float:
    return row.speed.middle if row.speed else 0.0


def _first(row: Row) -> int:
    return row.rank_first or 0


def _last(row: Row) -> int:
    return row.rank_last or 0
