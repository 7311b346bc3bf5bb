"""Says of a job that brought no comparison which step ended it, its last lines, and whether trying again helps.

GitHub says which step it was. The lines are a stranger's, so they are shown as a block of code.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass

from restbench.changes.comparison_summary import LONGEST_LINE, code_block
from restbench.changes.summary import safe
from restbench.ci.github import GitHub, GitHubBusyError, GitHubError, Job
from restbench.system.text import one_line

COMPARED_BY = "compare / "
"""What the names of jobs that compare begin with: that of the calling job in pull-request.yml."""

OUT_OF_TIME = ("timed_out", "cancelled")
ENDED = ("failure", *OUT_OF_TIME)

MEASURES = ("Conformance", "Comparison of both versions")
"""Names of the steps of compare.yml that run the entry."""

LAST = 3
"""How many lines of a log are shown."""

MOST = 5
"""How many jobs are described."""

_STAMP = re.compile(r"^\ufeff?\d{4}-\d\d-\d\dT[\d:.]+Z ")
_COLOUR = re.compile(r"\x1b\[[\d;]*[A-Za-z]")
_ERROR, _MARK = "##[error]", "##["
_EXIT = f"{_ERROR}Process completed with exit code"


@dataclass(frozen=True)
class DeadJob:
    """A job without a comparison. `step` is None where the job ended before or between its steps."""

    name: str
    step: str | None
    conclusion: str
    lines: list[str]

    @property
    def markdown(self) -> list[str]:
        what = "ran out of time" if self.conclusion in OUT_OF_TIME else "failed"
        where = f"in the step “{self.step}”" if self.step else "outside of its steps"
        told = f"**{safe(self.name)}** brought no comparison: its job {what} {safe(where)}. {self.advice}"
        return [told, "", *(code_block(self.lines) if self.lines else [])]

    @property
    def advice(self) -> str:
        """Whether trying again helps. GitHub calls it "Re-run failed jobs"."""
        if self.step is None:
            return "Its runner was lost, so trying again helps."
        if self.conclusion in OUT_OF_TIME:
            return "Trying again helps if the runner was slow. If it ends so again, the entry takes too long."
        if self.step in MEASURES:
            return "Trying again helps only if its last lines name a server that was out of reach."
        return "Nothing of the entry ran yet, so trying again helps unless its last lines name a file of this change."


def dead_jobs(run: int, compared: Collection[str], github: GitHub) -> list[DeadJob]:
    """The jobs of a run that brought no comparison. `compared` are the names of those that did.

    Raises GitHubBusyError where GitHub fails for a while. Where it refuses to say, there are none.
    """
    try:
        jobs = [
            (job, job.name.removeprefix(COMPARED_BY))
            for job in github.jobs_of(run)
            if job.name.startswith(COMPARED_BY) and job.conclusion in ENDED
        ]
        return [_dead(job, name, github) for job, name in jobs if name not in compared][:MOST]
    except GitHubBusyError:
        raise
    except GitHubError:
        return []


def _dead(job: Job, name: str, github: GitHub) -> DeadJob:
    step = next((step for step in job.steps if step.conclusion in ENDED), None)
    try:
        lines = last_lines(github.log_of(job.id))
    except GitHubBusyError:
        raise
    except GitHubError:  # a job that never ran has no log, and old logs are gone
        lines = []
    return DeadJob(name, step.name if step else None, (step or job).conclusion or "", lines)


def last_lines(log: str) -> list[str]:
    """The last lines of the step that ended a job, without GitHub's own.

    Later steps, such as uploads, write behind them. The exit code is what GitHub writes at a step's end.
    """
    lines = [_COLOUR.sub("", _STAMP.sub("", line)).rstrip() for line in log.splitlines()]
    ends = [i for i, line in enumerate(lines) if line.startswith(_EXIT)]
    errors = [i + 1 for i, line in enumerate(lines) if line.startswith(_ERROR)]
    lines = [line.removeprefix(_ERROR) for line in lines[: (ends or errors or [len(lines)])[-1]]]
    return [one_line(line, LONGEST_LINE) for line in lines if line.strip() and not line.startswith(_MARK)][-LAST:]
