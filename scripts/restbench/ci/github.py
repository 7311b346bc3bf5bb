"""The requests of the service to GitHub's REST API (docs.github.com/rest).

They are about a pull request, its files and comments, the artifacts of a workflow run, and issues. Of an answer only
what is used is read. What lacks it is left out of a list.
"""

import logging
import os
import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, Literal, Self, TypeVar
from urllib.parse import quote

import httpx
from pydantic import BaseModel, ConfigDict, ValidationError

from restbench.errors import RestbenchError

_TIMEOUT_SECONDS = 30
_PER_PAGE = 100
_THERE_ALREADY = 422
"""The answer to a request for a label that exists (docs.github.com/rest/issues/labels)."""
_PAGES = 30
"""The most pages that are read. The API lists at most 3,000 files of a pull request, which is 30 pages."""

LOG_BYTES = 100_000
"""How much of the end of a job's log is read."""

TRIES = 5
LONGEST_PAUSE = 120.0
"""Seconds. Where GitHub asks for a longer pause, it is too long for a job that waits."""
_LIMITED_SECONDS = 60.0
"""The pause after a rate limit that does not say how long it lasts (docs.github.com/rest, "Rate limits for the REST
API": at least one minute)."""
_PAUSE_SECONDS = 5.0
"""The pause after a first answer that is an error of GitHub's own. Each further pause is twice as long."""


log = logging.getLogger(__name__)


class GitHubError(RestbenchError):
    """A request to the API failed, or an artifact is too large. `status` is GitHub's answer, where there was one."""

    def __init__(self, message: str, detail: str = "", status: int | None = None) -> None:
        super().__init__(message, detail)
        self.status = status


class GitHubBusyError(GitHubError):
    """GitHub did not do what was asked, and may do so in a while. What was sent may have arrived all the same.

    `pause` is how many seconds GitHub asks to wait, where it does.
    """

    def __init__(self, message: str, detail: str = "", pause: float | None = None) -> None:
        super().__init__(message, detail)
        self.pause = pause


class _Read(BaseModel):
    model_config = ConfigDict(frozen=True)


class Account(_Read):
    """Who wrote something."""

    login: str


class _Written(_Read):
    """What somebody wrote. `user` is None where the account was deleted."""

    body: str | None = None
    user: Account | None = None

    @property
    def author(self) -> str | None:
        return self.user.login if self.user else None


class Comment(_Written):
    id: int


class Issue(_Written):
    """`pull_request` is there where it is a pull request, which the API lists as issues too."""

    number: int
    title: str = ""
    state: Literal["open", "closed"]
    pull_request: Any = None


class Artifact(_Read):
    id: int
    name: str
    size_in_bytes: int


class Step(_Read):
    name: str
    conclusion: str | None = None


class Job(_Read):
    """A job of a workflow run. `conclusion` is None until it has ended."""

    id: int
    name: str
    conclusion: str | None = None
    steps: list[Step] = []


class Head(_Read):
    sha: str


class Base(_Read):
    ref: str


class PullRequestState(_Read):
    """`base` is the branch that it is to be merged into."""

    head: Head
    base: Base
    state: str


class _File(_Read):
    filename: str
    previous_filename: str | None = None


R = TypeVar("R", bound=_Read)
T = TypeVar("T")


def patiently(work: Callable[[], T], sleep: Callable[[float], None] = time.sleep) -> T:
    """Calls `work` until GitHub does what it asks for. It has to double nothing if it is called again.

    Raises GitHubError after TRIES, and at once where GitHub asks for a pause that is longer than LONGEST_PAUSE.
    """
    tries = 0
    while True:
        tries += 1
        try:
            return work()
        except GitHubBusyError as busy:
            pause = _PAUSE_SECONDS * 2.0 ** (tries - 1) if busy.pause is None else busy.pause
            if tries == TRIES or pause > LONGEST_PAUSE:
                tried = "1 try" if tries == 1 else f"{tries} tries"
                asked = f", and asks for {pause:,.0f} s" if pause > LONGEST_PAUSE else ""
                raise GitHubError(
                    f"{busy.message}, after {tried}{asked}: run this job again later, nothing is doubled"
                ) from busy
            log.info("%s: trying again in %.0f s (%d of %d)", busy.message, pause, tries, TRIES)
        sleep(pause)


class GitHub:
    """The API for one repository. A context manager, which closes the connections."""

    def __init__(self, repository: str, token: str, url: str | None = None) -> None:
        self._client = httpx.Client(
            base_url=f"{url or os.environ.get('GITHUB_API_URL', 'https://api.github.com')}/repos/{repository}",
            headers={
                "Accept": "application/vnd.github+json",
                "Authorization": f"Bearer {token}",
                "X-GitHub-Api-Version": "2022-11-28",
            },
            timeout=_TIMEOUT_SECONDS,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()

    def pull_request(self, number: int) -> PullRequestState:
        try:
            return PullRequestState.model_validate(self._ask("GET", f"/pulls/{number}"))
        except ValidationError as error:
            raise GitHubError(f"GitHub did not say what pull request {number} is", str(error)) from error

    def files_of(self, number: int) -> list[str]:
        """The paths that a pull request touches, with the former paths of files that it moves."""
        files = list(self._all(f"/pulls/{number}/files", _File))
        return [path for file in files for path in (file.filename, file.previous_filename) if path]

    def artifacts_of(self, run: int) -> Iterator[Artifact]:
        """The artifacts of a workflow run."""
        return self._all(f"/actions/runs/{run}/artifacts", Artifact, within="artifacts")

    def jobs_of(self, run: int) -> Iterator[Job]:
        """The jobs of the newest attempt of a workflow run."""
        return self._all(f"/actions/runs/{run}/jobs", Job, within="jobs")

    def log_of(self, job: int) -> str:
        """The end of a job's log, of at most LOG_BYTES."""
        end = b""
        for part in self._parts(f"/actions/jobs/{job}/logs", f"the log of job {job}"):
            end = (end + part)[-LOG_BYTES:]
        return end.decode(errors="replace")

    def download(self, artifact: int, at_most: int) -> bytes:
        """Returns the zip file of an artifact.

        Raises GitHubError where the download fails or has more than `at_most` bytes. The rest is then not read.
        """
        content = b""
        for part in self._parts(f"/actions/artifacts/{artifact}/zip", f"artifact {artifact}"):
            content += part
            if len(content) > at_most:
                raise GitHubError(f"artifact {artifact} has more than {at_most:,} bytes")
        return content

    def _parts(self, path: str, what: str) -> Iterator[bytes]:
        """Yields a file as it comes. GitHub leads to another server for it."""
        try:
            with self._client.stream("GET", path, follow_redirects=True) as answer:
                if answer.is_error:
                    answer.read()
                    raise _refusal(answer, f"the download of {what}")
                yield from answer.iter_bytes()
        except httpx.HTTPError as error:
            raise GitHubBusyError(f"{what} could not be downloaded: {error}") from error

    def comments_of(self, number: int) -> Iterator[Comment]:
        return self._all(f"/issues/{number}/comments", Comment)

    def comment(self, number: int, body: str) -> None:
        self._ask("POST", f"/issues/{number}/comments", {"body": body})

    def change_comment(self, comment: int, body: str) -> None:
        self._ask("PATCH", f"/issues/comments/{comment}", {"body": body})

    def issues(self, label: str) -> Iterator[Issue]:
        """The open and closed issues with a label. Pull requests are left out."""
        found = self._all("/issues", Issue, f"state=all&labels={quote(label)}&")
        return (issue for issue in found if issue.pull_request is None)

    def open_issue(self, title: str, body: str, labels: list[str]) -> int | None:
        """Opens an issue. Returns its number, if GitHub says it."""
        answer = self._ask("POST", "/issues", {"title": title, "body": body, "labels": labels})
        number = answer.get("number") if isinstance(answer, dict) else None
        return number if isinstance(number, int) else None

    def change_issue(self, number: int, **fields: str) -> None:
        """Changes the title, body or state of an issue."""
        self._ask("PATCH", f"/issues/{number}", dict(fields))

    def create_label(self, name: str, colour: str, about: str) -> None:
        """Creates a label, unless the repository has it."""
        try:
            self._ask("POST", "/labels", {"name": name, "color": colour, "description": about})
        except GitHubError as error:
            if error.status != _THERE_ALREADY:
                raise

    def _all(self, path: str, model: type[R], query: str = "", within: str | None = None) -> Iterator[R]:
        """All items of a list. In the answer it is below the key `within`, if that is given."""
        for page in range(1, _PAGES + 1):
            answer = self._ask("GET", f"{path}?{query}per_page={_PER_PAGE}&page={page}")
            found = answer.get(within) if within and isinstance(answer, dict) else answer
            if not isinstance(found, list):
                raise GitHubError(f"GitHub answered no list to GET {path}", str(answer)[:300])
            for item in found:
                try:
                    yield model.model_validate(item)
                except ValidationError:
                    continue
            if len(found) < _PER_PAGE:
                return

    def _ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """The answer to a request.

        Raises GitHubBusyError where GitHub, or the way to it, fails for a while, and GitHubError where it refuses.
        """
        try:
            answer = self._client.request(method, path, json=body)
        except httpx.HTTPError as error:
            raise GitHubBusyError(f"GitHub did not answer {method} {path}: {error}") from error
        if not answer.is_success:
            raise _refusal(answer, f"{method} {path}")
        try:
            return answer.json()
        except ValueError as error:
            raise GitHubBusyError(f"GitHub answered no JSON to {method} {path}") from error


def _refusal(answer: httpx.Response, what: str) -> GitHubError:
    """The error for an answer that is none."""
    text, status, headers = answer.text[:300], answer.status_code, answer.headers
    message = f"GitHub answered {status} to {what}"
    after, reset = headers.get("retry-after", ""), headers.get("x-ratelimit-reset", "")
    used_up = headers.get("x-ratelimit-remaining") == "0"
    # GitHub answers 403 or 429 where it limits the number of requests, and 403 also without a permission
    is_limited = "retry-after" in headers or used_up or "rate limit" in answer.text.lower()
    if status == httpx.codes.TOO_MANY_REQUESTS or (status == httpx.codes.FORBIDDEN and is_limited):
        pause = _LIMITED_SECONDS
        if after.isdecimal():
            pause = float(after)
        elif used_up and reset.isdecimal():
            pause = max(0.0, float(reset) - time.time()) + 1
        return GitHubBusyError(f"{message}: too many requests for its rate limit", text, pause)
    if status >= httpx.codes.INTERNAL_SERVER_ERROR or status == httpx.codes.REQUEST_TIMEOUT:
        return GitHubBusyError(message, text)
    return GitHubError(message, text, status)
