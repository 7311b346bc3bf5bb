"""The requests of the service to GitHub's REST API (docs.github.com/rest).

They are about a pull request, its files and comments, and the artifacts of a workflow run.
"""

import os
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Self

import httpx

from restbench.errors import RestbenchError

_TIMEOUT_SECONDS = 30
_PER_PAGE = 100
_PAGES = 30
"""The most pages that are read. The API lists at most 3,000 files of a pull request, which is 30 pages."""


class GitHubError(RestbenchError):
    """A request to the API failed, or an artifact is too large."""


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

    def _all(self, path: str) -> Iterator[dict[str, Any]]:
        for page in range(1, _PAGES + 1):
            found = self._ask("GET", f"{path}?per_page={_PER_PAGE}&page={page}")
            yield from found
            if len(found) < _PER_PAGE:
                return

    def _ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        try:
            answer = self._client.request(method, path, json=body)
            answer.raise_for_status()
            return answer.json()
        except httpx.HTTPStatusError as error:
            said = error.response.text[:300]
            raise GitHubError(f"GitHub answered {error.response.status_code} to {method} {path}", said) from error
        except (httpx.HTTPError, ValueError) as error:
            raise GitHubError(f"GitHub did not answer {method} {path}: {error}") from error
