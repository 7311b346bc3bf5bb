"""Pushing to a branch to which others push too, on a remote that may fail for a while."""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from tenacity import (
    RetryCallState,
    RetryError,
    Retrying,
    retry_if_exception_type,
    stop_after_attempt,
    wait_incrementing,
)

from restbench.ci.git import PushLostError, RemoteBusyError
from restbench.errors import ResultsError

TRIES = 8
PAUSE_SECONDS = 2.0
"""The pause after the first try. Each further pause is longer by as much."""


@dataclass(frozen=True)
class Published:
    """The commit that was pushed, and the number of tries. `commit` is None where the branch had it all already."""

    commit: str | None
    tries: int


def publish(branch: str, attempt: Callable[[], str | None], sleep: Callable[[float], None] = time.sleep) -> Published:
    """Calls `attempt` until its push is not lost, neither to another one nor to a remote that fails for a while.

    It returns the commit that it pushed, if any. Raises ResultsError where TRIES pushes were lost, and whatever else
    `attempt` raises.
    """

    def say(state: RetryCallState) -> None:
        lost = state.outcome.exception() if state.outcome else None
        print(f"{lost}: trying again on top of {branch} ({state.attempt_number} of {TRIES})", file=sys.stderr)

    retrying = Retrying(
        retry=retry_if_exception_type((PushLostError, RemoteBusyError)),
        stop=stop_after_attempt(TRIES),
        wait=wait_incrementing(PAUSE_SECONDS, PAUSE_SECONDS),
        sleep=sleep,
        before_sleep=say,
    )
    try:
        commit = retrying(attempt)
    except RetryError as error:
        last = error.last_attempt.exception()
        raise ResultsError(f"{branch} was not pushed in {TRIES} tries: {last}: run this job again") from error
    return Published(commit, retrying.statistics["attempt_number"])
