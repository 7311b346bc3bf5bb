"""A process that takes a random share of the CPUs in bursts, as the neighbours of a hosted runner do.

As a program (`python -m restbench.trust.neighbour SEED`) it runs until it is stopped.
"""

import multiprocessing
import os
import random
import sys
import time

BURST_SECONDS = (0.5, 8.0)
PAUSE_SECONDS = (1.0, 15.0)
SHARE = (0.2, 1.0)
_SLICE_SECONDS = 0.01
"""Each slice of this length is first busy and then idle. The busy part is the share of the burst."""


def _bursts(seed: int) -> None:
    rng = random.Random(seed)
    while True:
        share, end = rng.uniform(*SHARE), time.monotonic() + rng.uniform(*BURST_SECONDS)
        while time.monotonic() < end:
            busy_until = time.monotonic() + share * _SLICE_SECONDS
            while time.monotonic() < busy_until:
                pass
            time.sleep((1 - share) * _SLICE_SECONDS)
        time.sleep(rng.uniform(*PAUSE_SECONDS))


def main(seed: int) -> None:
    """Starts a process with bursts for each CPU, each with its own random numbers. They end when this process ends."""
    for cpu in range(len(os.sched_getaffinity(0))):
        multiprocessing.Process(target=_bursts, args=(seed + cpu,), daemon=True).start()
    while True:
        time.sleep(3600)


if __name__ == "__main__":
    main(int(sys.argv[1]))
