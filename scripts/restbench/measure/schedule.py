"""The order in which cells are visited.

In every round each cell of the team is visited once, in a fresh random order. Slow changes of a machine (temperature,
neighbours, caches) then affect all cells alike, not only the cells that are last. The reference's cell is one of them.
"""

import random
from collections.abc import Iterable, Iterator
from typing import TypeVar

E = TypeVar("E")

ENTRIES_PER_TEAM = 8
"""How many apps run side by side at most. Most of them are idle at any time, but each takes memory."""


def random_order(items: Iterable[E], rng: random.Random) -> list[E]:
    """Returns the items in a random order: the cells of one round, or the apps of a team."""
    order = list(items)
    rng.shuffle(order)
    return order


def in_teams(entries: list[E], at_most: int = ENTRIES_PER_TEAM) -> Iterator[list[E]]:
    """Splits entries into teams that run side by side, with sizes as equal as possible and not above `at_most`.

    Neighbours stay together, so that a team has few languages.
    """
    count = -(-len(entries) // at_most)
    for i in range(count):
        yield entries[i * len(entries) // count : (i + 1) * len(entries) // count]
