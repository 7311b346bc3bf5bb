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

CERTAIN = 2.0
"""A cell that did so many times better in its warm-up than it had to gets the scenario's connections."""

PROBES = 3
"""How many loads another cell gets at most. The best one counts: noise slows an app, and never makes it faster."""

SLOWED = 1.6
"""By how much noise may have slowed the best load so far."""


def find_capacities(team: Team, rng: random.Random) -> None:
    """Loads each cell that may be too slow for its scenario's connections, and notes its capacity.

    The warm-up's load does not count for these. An app with a thread for each connection leaves most of them waiting,
    and the load lasts until they have given up: so a longer load shows more requests per second.
    """
    slow = [cell for cell in team.all_loaded() if _may_be_slow(team, cell)]
    team.capacities.update(dict.fromkeys(slow, 0.0))
    for _ in range(PROBES):
        for cell in random_order([cell for cell in slow if _is_in_doubt(team, cell)], rng):
            progress = team.entries[cell.entry]
            if cell not in progress.alive:
                continue
            with team.blaming(progress, "warm-up", cell):
                ask = partial(load_once, team.tools, team.app_of(cell), CAPACITY_SECONDS)
                seen, _ = team.with_backend(progress.entry.needs_backend(cell), ask)
                team.capacities[cell] = max(team.capacities[cell], seen.throughput)


def _may_be_slow(team: Team, cell: Cell) -> bool:
    app = team.app_of(cell)
    return not (app.scenario.batch or is_enough(app.capacity / CERTAIN, team.tools.connections(app.scenario)))


def _is_in_doubt(team: Team, cell: Cell) -> bool:
    """Whether the cell was not loaded yet, or would get more connections if nothing had slowed it."""
    app, connections = team.app_of(cell), team.tools.connections
    best = app.capacity
    return not best or connections(app.scenario, best) < connections(app.scenario, SLOWED * best)
