"""When the service measures all entries: the schedule of its workflow."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

from restbench.render.environment import ROOT

WORKFLOW = ROOT / ".github/workflows/benchmark.yml"

_WEEKLY = re.compile(r'^ *- cron: "(?P<minute>\d+) (?P<hour>\d+) \* \* (?P<day>[0-7])"', re.MULTILINE)
"""Once a week at a time in UTC. Days are counted from Sunday, which is 0 and 7 (POSIX, crontab)."""


def next_run(after: datetime, workflow: Path = WORKFLOW) -> datetime | None:
    """The first scheduled run after a time. None where the workflow is absent or has no weekly schedule."""
    found = _WEEKLY.search(workflow.read_text()) if workflow.is_file() else None
    if found is None:
        return None
    at = after.astimezone(UTC).replace(minute=int(found["minute"]), hour=int(found["hour"]), second=0, microsecond=0)
    # isoweekday() counts from Monday, which is 1
    at += timedelta(days=(int(found["day"]) - at.isoweekday()) % 7)
    return at if at > after else at + timedelta(weeks=1)
