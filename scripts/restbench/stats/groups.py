"""Puts the rows of a table into groups, so that an order claims no more than is known."""

from collections.abc import Set
from dataclasses import dataclass


@dataclass(frozen=True)
class Standing:
    """Where a row stands: in which group, from 1 on, and whether it is certainly slower than the group's first row."""

    group: int
    behind: bool


def standings(rows: int, certain: Set[tuple[int, int]]) -> list[Standing]:
    """Returns where each row stands. The rows are in their order, the fastest first.

    `certain`: the pairs of positions in which the first is certainly more than 10 % faster than the second. Going down,
    a new group begins where all remaining rows are certainly slower than the first row of the present group. So each
    group is one claim, and at most 5 % of tables whose rows are all equal have more than one group, where the pairs of
    the table share that level (Holm). A row that is certainly slower than the first of its group, while one further
    down is not, stays in the group and is marked as `behind`.
    """
    found: list[Standing] = []
    first, group = 0, 1
    for row in range(rows):
        if row and all((first, later) in certain for later in range(row, rows)):
            first, group = row, group + 1
        found.append(Standing(group, (first, row) in certain))
    return found
