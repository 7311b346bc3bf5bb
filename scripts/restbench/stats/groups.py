"""Puts the rows of a table into groups, so that an order claims no more than is known."""

from collections.abc import Sequence
from itertools import pairwise

from restbench.stats.estimates import Estimate, certainly_faster


def group_numbers(estimates: Sequence[Estimate]) -> list[int]:
    """Returns the number of each row's group, from 1 on. `estimates` are in their order, the fastest first.

    Going down, a new group begins where all remaining rows are certainly more than 10 % slower than the first row of
    the present group. Each group is one claim among those that share the level of the table (Holm), so at most 5 % of
    tables whose rows are all equal have more than one group. Rows of one group may differ with certainty too, if a row
    between them is not certain.

    Raises ValueError if a row is faster than the one before it.
    """
    if any(after.log > before.log for before, after in pairwise(estimates)):
        raise ValueError("expected the fastest row first")
    certain = certainly_faster(estimates)
    rows = range(len(estimates))
    numbers: list[int] = []
    first, number = 0, 1
    for row in rows:
        if row and all((first, later) in certain for later in rows[row:]):
            first, number = row, number + 1
        numbers.append(number)
    return numbers
