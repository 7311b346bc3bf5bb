"""git, as the service uses it: by its command, in the checkout that a workflow made."""

import os
import subprocess
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from restbench.errors import ResultsError

AUTHOR = {
    "GIT_AUTHOR_NAME": "github-actions[bot]",
    "GIT_AUTHOR_EMAIL": "41898282+github-actions[bot]@users.noreply.github.com",
    "GIT_COMMITTER_NAME": "github-actions[bot]",
    "GIT_COMMITTER_EMAIL": "41898282+github-actions[bot]@users.noreply.github.com",
}
"""The account that GitHub shows as its own bot."""


class PushLostError(ResultsError):
    """The remote has moved since it was fetched: what is to be pushed has to be made anew on top of it."""


@dataclass(frozen=True)
class Checkout:
    """A work tree and its remote. `token`: what pushes are allowed by, never written to disk."""

    root: Path
    remote: str = "origin"
    token: str | None = None

    def git(self, *words: str) -> str:
        """What git prints. Raises ResultsError with what it complains of."""
        ran = self._run(words)
        if ran.returncode != 0:
            raise ResultsError(f"git {words[0]} failed: {_last_line(ran.stderr)}", ran.stderr)
        return ran.stdout.strip()

    def succeeds(self, *words: str) -> bool:
        """Whether git ends well: for questions that it answers by its exit code."""
        return self._run(words).returncode == 0

    def has_remote_branch(self, branch: str) -> bool:
        """Whether the remote has that branch. Raises ResultsError where the remote cannot be asked."""
        return bool(self.git("ls-remote", "--heads", self.remote, f"refs/heads/{branch}"))

    def fetch(self, branch: str) -> str:
        """The commit that the remote's branch is at."""
        self.git("fetch", "--quiet", self.remote, f"+refs/heads/{branch}:refs/remotes/{self.remote}/{branch}")
        return self.git("rev-parse", f"refs/remotes/{self.remote}/{branch}")

    def push(self, commit: str, branch: str) -> None:
        """Raises PushLostError where the remote's branch is not what the commit is on top of."""
        ran = self._run(("push", "--porcelain", self.remote, f"{commit}:refs/heads/{branch}"))
        if ran.returncode == 0:
            return
        said = ran.stdout + ran.stderr
        if any(word in said for word in ("[rejected]", "fetch first", "cannot lock ref", "failed to update ref")):
            raise PushLostError(f"{branch} was pushed to by another meanwhile", said)
        raise ResultsError(f"{branch} could not be pushed: {_last_line(said)}", said)

    def _run(self, words: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["git", *words], cwd=self.root, env=self._environment(), capture_output=True, text=True, check=False
        )

    def _environment(self) -> Mapping[str, str]:
        """The token goes by the environment: not in a URL, a file or an argument that others could see."""
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


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["it said nothing"])[-1]
