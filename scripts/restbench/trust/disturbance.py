"""A neighbour beside a measurement."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from restbench.system import processes


@contextmanager
def neighbour(seed: int = 1) -> Iterator[None]:
    """The neighbour process, for as long as the context lasts."""
    with Path("/dev/null").open("wb") as nowhere:
        argv = [sys.executable, "-m", "restbench.trust.neighbour", str(seed)]
        process = processes.start_group(argv, env=processes.environment({}), cwd=Path.cwd(), log=nowhere, cpus=None)
    try:
        yield
    finally:
        processes.stop_group(process)
