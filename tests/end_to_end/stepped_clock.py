"""`python -m tests.end_to_end.stepped_clock SECONDS HOURS WORD…`: restbench, for which the clock of the machine is set
HOURS ahead, or back where they are negative, after SECONDS."""

import sys
import time
from datetime import datetime, timedelta, tzinfo
from typing import Self

from restbench import cli
from restbench.measure import plan
from restbench.measure import round as rounds
from restbench.system import files

READERS = (files, plan, rounds)
"""The modules that ask for the time of day in the course of a run."""

seconds, hours = float(sys.argv[1]), float(sys.argv[2])
step_at = time.monotonic() + seconds


class SteppedDatetime(datetime):
    """Tells the time of day by the clock that steps."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        return super().now(tz) + timedelta(hours=hours if time.monotonic() >= step_at else 0)


if __name__ == "__main__":
    for module in READERS:
        module.datetime = SteppedDatetime  # type: ignore[attr-defined]
    sys.argv[1:3] = []
    cli.main()
