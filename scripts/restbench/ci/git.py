"""Runs the git command for the service, in the checkout that a workflow made. Nothing here pushes."""

import logging
import os
import re
import time
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt, wait_exponential

from restbench.errors import ResultsError
from restbench.system.git import git, git_succeeds

log = logging.getLogger(__name__)

AUTHOR = {
    "GIT_AUTHOR_NAME": "github-actions[bot]",
    "GIT_AUTHOR_EMAIL": "41898282+github-actions[bot]@users.noreply.github.com",
    "GIT_COMMITTER_NAME": "github-actions[bot]",
    "GIT_COMMITTER_EMAIL": "41898282+github-actions[bot]@users.noreply.github.com",
}
"""The account that GitHub shows as its own bot."""


_BUSY = re.compile(
    r"internal (server )?error|returned error: (408|429|5\d\d)|http (408|429|5\d\d)"
    r"|RPC failed|early EOF|hung up|unexpected disconnect|timed? ?out|connection (was )?(reset|refused|closed)"
    r"|could not resolve host|temporary failure|failed to connect|TLS connection|SSL_ERROR|try again",
    re.IGNORECASE,
)
"""What git prints where the remote or the way to it fails for a while."""

READS = 5
"""How often a command that only reads from the remote is tried."""
PAUSE_SECONDS = 2.0
"""The pause after the first try. Each further pause is twice as long."""


@dataclass(frozen=True)
class Checkout:
    """A work tree and its remote. What reads from the remote is tried again where the remote fails for a while.

    `token`: with which a private repository is read. It is never written to disk.
    """

    root: Path
    remote: str = "origin"
    token: str | None = None
    sleep: Callable[[float], None] = time.sleep

    def git(self, *arguments: str) -> str:
        """Runs git as GitHub's bot and returns its output. Raises ResultsError where it fails."""
        return git(self.root, *arguments, env=self._environment())

    def has_remote_branch(self, branch: str) -> bool:
        """Whether the remote has that branch. Raises ResultsError where the remote cannot be asked."""
        return bool(self._patiently("ls-remote", "--heads", self.remote, f"refs/heads/{branch}"))

    def fetch(self, branch: str, depth: int | None = None) -> str:
        """Fetches a branch and returns the commit that it is at on the remote. Raises ResultsError where that fails.

        With `depth`, only so many of its newest commits are fetched.
        """
        shallow = [f"--depth={depth}"] if depth else []
        names = f"+refs/heads/{branch}:refs/remotes/{self.remote}/{branch}"
        self._patiently("fetch", "--quiet", *shallow, self.remote, names)
        return self.git("rev-parse", f"refs/remotes/{self.remote}/{branch}")

    def fetched(self, branch: str) -> str:
        """The commit at which the branch was when it was fetched last. Empty if it never was."""
        name = f"refs/remotes/{self.remote}/{branch}"
        return self.git("rev-parse", name) if git_succeeds(self.root, "rev-parse", "--verify", "--quiet", name) else ""

    def _patiently(self, *arguments: str) -> str:
        """Runs a git command that reads from the remote, again where that fails for a while."""

        def say(state: RetryCallState) -> None:
            failed = state.outcome.exception() if state.outcome else None
            log.info("%s: trying again (%d of %d)", failed, state.attempt_number, READS)

        busy = retry_if_exception(lambda e: isinstance(e, ResultsError) and _BUSY.search(e.detail) is not None)
        retrying = Retrying(
            retry=busy,
            stop=stop_after_attempt(READS),
            wait=wait_exponential(PAUSE_SECONDS),
            sleep=self.sleep,
            before_sleep=say,
            reraise=True,
        )
        return retrying(self.git, *arguments)

    def _environment(self) -> Mapping[str, str]:
        """git's environment. The token is passed in it, because others could see a URL, a file or an argument."""
        env = {**os.environ, **AUTHOR, "GIT_TERMINAL_PROMPT": "0"}
        if self.token:
            basic = b64encode(f"x-access-token:{self.token}".encode()).decode()
            server = os.environ.get("GITHUB_SERVER_URL", "https://github.com")
            env |= {
                "GIT_CONFIG_COUNT": "1",
                "GIT_CONFIG_KEY_0": f"http.{server}/.extraheader",
                "GIT_CONFIG_VALUE_0": f"AUTHORIZATION: basic {basic}",
            }
        return env
