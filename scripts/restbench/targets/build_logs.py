"""Why a build failed. A build that knows the reason prints it as a line after "restbench:".

The line can be anywhere in the log, because Docker adds lines of its own. "restbench: unreachable: SERVER: REMEDY" says
that a server of packages cannot be reached, which is no fault of the entry.
"""

import re
from pathlib import Path

from restbench.catalog import Entry
from restbench.errors import BuildError, UnreachableError
from restbench.system.files import tail

NOT_BUILT = "not built: remote unreachable"
"""What is said of an entry whose server of packages cannot be reached."""

_LINES = 60
"""Docker repeats the last lines of a failed step, and adds some of the Dockerfile."""

_REASON = re.compile(r"(?:^|\s)restbench: (?P<unreachable>unreachable: )?(?P<reason>\S.*)", re.MULTILINE)


def failure(entry: Entry, what: str, log: Path) -> BuildError:
    """Returns the error of a build that failed: the reason in one line if the log has it, else `what` and the log."""
    reasons = list(_REASON.finditer(tail(log, _LINES)))
    if not reasons:
        return BuildError(f"{entry.id}: {what}", tail(log, 20))
    reason = reasons[-1]["reason"]
    if reasons[-1]["unreachable"]:
        return UnreachableError(f"{entry.id}: {NOT_BUILT}: {reason}")
    return BuildError(f"{entry.id}: {reason}")
