"""In which order cells are visited.

Every round visits each cell of the group once, in a fresh random order: what changes slowly on a machine (temperature,
neighbours, caches) then falls on all cells alike instead of on those that happen to be last. The reference is one of
the cells.
"""

import random
from collections.abc import Iterable, Iterator
from typing import TypeVar

E = TypeVar("E")

ENTRIES_PER_GROUP = 8
"""How many apps run side by side, idle but for the one that is visited: each takes memory."""


def random_order(items: Iterable[E], rng: random.Random) -> list[E]:
    """The cells of one round, or the apps of a group, in a fresh order."""
    order = list(items)
    rng.shuffle(order)
    return order


def in_groups(entries: list[E], at_most: int = ENTRIES_PER_GROUP) -> Iterator[list[E]]:
    """Entries in groups that are measured side by side, as even as can be."""
    count = -(-len(entries) // at_most)
    for i in range(count):
        yield entries[i::count]
