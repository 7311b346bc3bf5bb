"""The requests of the service to GitHub's REST API (docs.github.com/rest).

They are about a pull request, its files and comments, the artifacts of a workflow run, and issues.
"""

import os
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import httpx

from restbench.errors import RestbenchError

_TIMEOUT_SECONDS = 30
_PER_PAGE = 100
_THERE_ALREADY = 422
"""The answer to a request for a label that exists (docs.github.com/rest/issues/labels)."""
_PAGES = 30
"""The most pages that are read. The API lists at most 3,000 files of a pull request, which is 30 pages."""


class GitHubError(RestbenchError):
    """A request to the API failed, or an artifact is too large. `status` is GitHub's answer, where there was one."""

    def __init__(self, message: str, detail: str = "", status: int | None = None) -> None:
        super().__init__(message, detail)
        self.status = status


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

    def pull_request(self, number: int) -> dict[str, Any]:
        return dict(self._ask("GET", f"/pulls/{number}"))

    def files_of(self, number: int) -> list[str]:
        """The paths that a pull request touches, with the former paths of files that it moves."""
        files = list(self._all(f"/pulls/{number}/files"))
        return [path for file in files for path in (file["filename"], file.get("previous_filename")) if path]

    def artifacts_of(self, run: int) -> Iterator[dict[str, Any]]:
        """The artifacts of a workflow run, each with its ID, name and size as the API gives them."""
        for page in range(1, _PAGES + 1):
            found = self._ask("GET", f"/actions/runs/{run}/artifacts?per_page={_PER_PAGE}&page={page}")["artifacts"]
            yield from found
            if len(found) < _PER_PAGE:
                return

    def download(self, artifact: int, at_most: int) -> bytes:
        """Returns the zip file of an artifact.

        Raises GitHubError where the download fails or has more than `at_most` bytes. The rest is then not read.
        """
        path, content = f"/actions/artifacts/{artifact}/zip", b""
        try:
            with self._client.stream("GET", path, follow_redirects=True) as answer:
                answer.raise_for_status()
                for part in answer.iter_bytes():
                    content += part
                    if len(content) > at_most:
                        raise GitHubError(f"artifact {artifact} has more than {at_most:,} bytes")
        except httpx.HTTPError as error:
            raise GitHubError(f"artifact {artifact} could not be downloaded: {error}") from error
        return content

    def comments_of(self, number: int) -> Iterator[dict[str, Any]]:
        return self._all(f"/issues/{number}/comments")

    def comment(self, number: int, body: str) -> None:
        self._ask("POST", f"/issues/{number}/comments", {"body": body})

    def change_comment(self, comment: int, body: str) -> None:
        self._ask("PATCH", f"/issues/comments/{comment}", {"body": body})

    def issues(self, label: str) -> Iterator[dict[str, Any]]:
        """The open and closed issues with a label. Pull requests, which the API lists as issues too, are left out."""
        found = self._all("/issues", f"state=all&labels={quote(label)}&")
        return (issue for issue in found if "pull_request" not in issue)

    def open_issue(self, title: str, body: str, labels: list[str]) -> int:
        """Opens an issue. Returns its number."""
        return int(self._ask("POST", "/issues", {"title": title, "body": body, "labels": labels})["number"])

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

    def _all(self, path: str, query: str = "") -> Iterator[dict[str, Any]]:
        for page in range(1, _PAGES + 1):
            found = self._ask("GET", f"{path}?{query}per_page={_PER_PAGE}&page={page}")
            yield from found
            if len(found) < _PER_PAGE:
                return

    def _ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        try:
            answer = self._client.request(method, path, json=body)
            answer.raise_for_status()
            return answer.json()
        except httpx.HTTPStatusError as error:
            said, status = error.response.text[:300], error.response.status_code
            raise GitHubError(f"GitHub answered {status} to {method} {path}", said, status) from error
        except (httpx.HTTPError, ValueError) as error:
            raise GitHubError(f"GitHub did not answer {method} {path}: {error}") from error
