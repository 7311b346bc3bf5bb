"""Finds how many requests per second slow cells answer, which decides over how many connections they are loaded.

The load of a warm-up has another length in each profile, and falls into one phase of the machine. The number of
connections must depend on neither, because copies of one app have to get the same number in every run.
"""

import random
from functools import partial

from restbench.catalog import Cell
from restbench.measure.schedule import random_order
from restbench.measure.team import Team
from restbench.measure.tools import CAPACITY_SECONDS, is_enough
from restbench.measure.warm_up import load_once

PROBES = 3
"""How many loads a slow cell gets. The highest throughput counts: noise slows an app, and never makes it faster."""

CERTAIN = 2.0
"""A cell that did so many times better in its warm-up than it had to is not probed."""


def find_capacities(team: Team, rng: random.Random) -> None:
    """Loads each cell that may be too slow for its scenario's connections, and notes its capacity."""
    slow = [cell for cell in team.all_loaded() if _may_be_slow(team, cell)]
    for cell in slow:
        team.capacities[cell] = 0.0
    for _ in range(PROBES):
        for cell in random_order(slow, rng):
            progress = team.entries[cell.entry]
            if cell not in progress.alive:
                continue
            with team.blaming(progress, "warm-up", cell):
                ask = partial(load_once, team.tools, team.targets[cell.entry], progress.entry, cell, CAPACITY_SECONDS)
                seen, _ = team.with_backend(progress.entry.needs_backend(cell), ask)
                team.capacities[cell] = max(team.capacities[cell], seen.throughput)


def _may_be_slow(team: Team, cell: Cell) -> bool:
    scenario, capacity = team.entries[cell.entry].entry.scenario(cell), team.capacities.get(cell)
    if scenario.batch or capacity is None:
        return False
    return not is_enough(capacity / CERTAIN, team.tools.connections(scenario))
