"""Two boards of the same entries, measured one after the other: their claims may not contradict each other.

Each entry has a run of its own with the baseline of its language, and a further run links the languages, as in the
service. The claims are those of the board's own rows.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import expm1
from statistics import median

from restbench.board import Board, Row, Table
from restbench.results.models import Limit
from restbench.stats.estimates import certainly_faster

Claim = tuple[Row, Row]
"""The first row is certainly faster than the second."""


@dataclass(frozen=True)
class Told:
    """How many pairs of rows there are, and how many of them the board tells apart."""

    pairs: int
    claimed: int


@dataclass(frozen=True)
class Agreement:
    """What two boards say of the same rows.

    `within`, `across`: pairs of one language, and of two, in both boards together. `both`: the claims that both make.
    `contradicted`: claims of one board whose opposite the other one claims. `measured`: claims about rows that the app
    limited, in one board or the other. `denied`: those of them whose throughputs all lie on the other side.
    `apart`: by how much each row's place in its table differs between the boards, as a share of its speed.
    """

    within: Told
    across: Told
    both: int
    contradicted: int
    measured: int
    denied: int
    apart: list[float]


def agreement_of(one: Board, other: Board) -> Agreement:
    """Compares the tables that both boards have."""
    pairs = [(a, b) for a, b in zip(_tables(one), _tables(other), strict=True) if a.compared and b.compared]
    claims = [(claims_of(a), claims_of(b)) for a, b in pairs]
    every = [claim for a, b in claims for claim in [*a, *b]]
    rows = [combo for a, b in pairs for table in (a, b) for combo in combinations(table.compared, 2)]
    limited = [claim for claim in every if all(row.limit == Limit.APP for row in claim)]
    places = [({(f.place, s.place) for f, s in a}, {(f.place, s.place) for f, s in b}) for a, b in claims]
    return Agreement(
        within=_told(rows, every, alike=True),
        across=_told(rows, every, alike=False),
        both=sum(len(a & b) for a, b in places),
        contradicted=sum((slow, fast) in b for a, b in places for fast, slow in a),
        measured=len(limited),
        denied=sum(max(fast.solo.throughput) < min(slow.solo.throughput) for fast, slow in limited),
        apart=[each for a, b in pairs for each in _apart(a, b)],
    )


def claims_of(table: Table) -> list[Claim]:
    rows = table.compared
    certain = certainly_faster([row.estimate for row in rows if row.estimate])
    return [(rows[fast], rows[slow]) for fast, slow in certain]


def _tables(board: Board) -> list[Table]:
    return [table for section in board.sections[:1] for suite in section.suites for table in suite.tables]


def _told(pairs: Iterable[Claim], claims: Iterable[Claim], alike: bool) -> Told:
    known, claimed = (sum((a.language == b.language) == alike for a, b in each) for each in (pairs, claims))
    return Told(known, claimed)


def _apart(one: Table, other: Table) -> Sequence[float]:
    """How far each row moved in its table, beyond what all rows moved in the median."""
    before = {row.place: row.estimate.log for row in one.compared if row.estimate}
    moved = [row.estimate.log - before[row.place] for row in other.compared if row.estimate and row.place in before]
    usual = median(moved) if moved else 0.0
    return [abs(expm1(each - usual)) for each in moved]
