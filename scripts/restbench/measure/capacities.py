"""Finds how many requests per second slow cells answer, which decides over how many connections they are loaded.

The load of a warm-up has another length in each profile, and falls into one phase of the machine. The number of
connections must depend on neither, because copies of one app have to get the same number in every run.
"""

import random
from functools import partial

from restbench.catalog import Cell
from restbench.measure.schedule import random_order
from restbench.measure.team import Team
from restbench.measure.tools import CAPACITY_SECONDS
from restbench.measure.warm_up import load_once

PROBES = 3
"""How many loads a cell in doubt gets at most. Its best load counts: noise slows an app, and never makes it faster."""

SLOWED = 2.0
"""By how much the best load of a cell so far may have been slowed. Noise slows a load by up to 1.6, and the warm-up is
the first load of all."""


def find_capacities(team: Team, rng: random.Random) -> None:
    """Loads each cell whose number of connections its warm-up leaves in doubt, and notes its capacity."""
    for _ in range(PROBES):
        for cell in random_order([cell for cell in team.all_loaded() if _is_in_doubt(team, cell)], rng):
            progress = team.entries[cell.entry]
            if cell not in progress.alive:
                continue
            with team.blaming(progress, "warm-up", cell):
                ask = partial(load_once, team.tools, team.app_of(cell), CAPACITY_SECONDS)
                seen, _ = team.with_backend(progress.entry.needs_backend(cell), ask)
                team.capacities[cell] = max(team.capacities[cell], seen.throughput)


def _is_in_doubt(team: Team, cell: Cell) -> bool:
    """Whether the cell would get more connections if nothing had slowed it."""
    app, connections = team.app_of(cell), team.tools.connections
    return connections(app.scenario, app.capacity) < connections(app.scenario, SLOWED * app.capacity)
