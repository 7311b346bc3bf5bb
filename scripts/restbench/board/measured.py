"""What the tables of a board say, held against the throughputs that were measured."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import log
from typing import NamedTuple

from restbench.board.rows import Row, Table
from restbench.results.figures import cost_of_run
from restbench.results.models import Limit
from restbench.stats.estimates import MARGIN
from restbench.stats.intervals import ratio


class PairCounts(NamedTuple):
    """How many pairs of rows there are, and how many of them the tables tell apart."""

    pairs: int
    claimed: int


class Claims(NamedTuple):
    """What tables claim of their rows.

    `within`, `across`: pairs of one language, and of two. `measured`: claims about rows that the app limited. `denied`:
    those of them whose throughputs all lie on the other side. `close`: those whose median throughputs say less than the
    10 % that are claimed, or the opposite. `reversed`: those whose median throughputs say the opposite.
    """

    within: PairCounts
    across: PairCounts
    measured: int
    denied: int
    close: int
    reversed: int


class OrderCheck(NamedTuple):
    """How far the order of rows, which is that of CPU time, is from that of throughput.

    `off`: for each row, how far relative cost × throughput ÷ the baseline's throughput is from 1, as a share of 1.
    `unknown`: how many rows have no throughput of the baseline, because their result is older than that figure.
    """

    off: list[float]
    unknown: int


def claims_of(tables: Sequence[Table]) -> Claims:
    """Counts what the tables claim, all together."""
    pairs = [pair for table in tables for pair in combinations(table.compared, 2)]
    claims = [(fast, slow) for table in tables for fast, slow in _claims(table)]
    leads = [
        (log(fast.throughput.middle / slow.throughput.middle), fast, slow)
        for fast, slow in claims
        if fast.throughput and slow.throughput and fast.limit == slow.limit == Limit.APP
    ]
    return Claims(
        within=_pair_counts(pairs, claims, alike=True),
        across=_pair_counts(pairs, claims, alike=False),
        measured=len(leads),
        denied=sum(max(fast.cell.solo.throughput) < min(slow.cell.solo.throughput) for _, fast, slow in leads),
        close=sum(lead < MARGIN for lead, _, _ in leads),
        reversed=sum(lead < 0 for lead, _, _ in leads),
    )


def _claims(table: Table) -> Iterable[tuple[Row, Row]]:
    rows = {row.key: row for row in table.compared}
    return ((rows[fast], rows[slow]) for fast, slow in table.certain)


def _pair_counts(pairs: Sequence[tuple[Row, Row]], claims: Sequence[tuple[Row, Row]], alike: bool) -> PairCounts:
    return PairCounts(*(sum((a.language == b.language) == alike for a, b in each) for each in (pairs, claims)))


def order_check(tables: Iterable[Table]) -> OrderCheck:
    """Checks each row that the app limited, as its baseline, by the rounds of its own job.

    Earlier runs are left out of the relative cost, because the throughputs are of the newest run. Rounds of a baseline
    keep no limit. So that of the baseline's published row in the table counts: the same code under the same load keeps
    its CPUs as busy in each job, and where it does not, throughput says nothing about cost.
    """
    off: list[float] = []
    unknown = 0
    for table in tables:
        limits = {row.key: row.limit for row in table.measured}
        for row in table.measured:
            base, cost = row.cell.baseline, cost_of_run(row.cell)
            if base is None or cost is None or row.throughput is None or row.is_baseline:
                continue
            if not row.limit == limits.get((base.entry, base.variant)) == Limit.APP:
                continue
            if base.throughput is None:
                unknown += 1
            else:
                off.append(abs(ratio(cost.log + log(row.throughput.middle) - log(base.throughput)) - 1))
    return OrderCheck(off, unknown)
