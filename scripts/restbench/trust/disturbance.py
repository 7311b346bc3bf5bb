"""Starts a neighbour process that disturbs a measurement."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from restbench.system import processes


@contextmanager
def neighbour(seed: int = 1) -> Iterator[None]:
    """Runs the neighbour process as long as the context lasts. `seed`: for its random bursts."""
    with Path("/dev/null").open("wb") as nowhere:
        argv = [sys.executable, "-m", "restbench.trust.neighbour", str(seed)]
        process = processes.start_group(argv, env=processes.environment({}), cwd=Path.cwd(), log=nowhere, cpus=None)
    try:
        yield
    finally:
        processes.stop_group(process)
