"""The parts of GitHub's API that the service asks, over real HTTP."""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import BaseServer, ThreadingUnixStreamServer
from typing import Any
from urllib.parse import parse_qs

BOT = "github-actions[bot]"


@dataclass(frozen=True)
class Trouble:
    """An answer that is an error, once: to the next request of a method and a beginning of its path.

    Where it `arrived`, the request was done all the same.
    """

    method: str
    begun: str
    status: int
    headers: dict[str, str] = field(default_factory=dict)
    text: str = ""
    arrived: bool = False


@dataclass(frozen=True)
class Dispatch:
    """A workflow that somebody started by hand: its name, the branch, and the inputs that were given."""

    workflow: str
    branch: str
    inputs: dict[str, str]


class FakeGitHub(ThreadingHTTPServer):
    """One pull request, the run of its workflow, issues, and workflows that are started by hand.

    `jobs` are those of the run, and `logs` have their logs by id. `posted` are method, path and body of what was sent.
    `refusals` has the status that GitHub answers to requests, by method and the beginning of their path below the
    repository. `troubles` are answered once each, in any order.
    """

    def __init__(self, run: int, number: int, head: str, repository: str = "o/r") -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self._run, self._number, self._repository = str(run), str(number), repository
        self.earlier: dict[str, bytes] = {}  # the artifacts of earlier attempts of the run
        self.artifacts: dict[str, bytes] = {}
        self.sizes: dict[str, int] = {}
        self.pull_request = {"head": {"sha": head}, "base": {"ref": "main"}, "state": "open"}
        self.jobs: list[dict[str, Any]] = []
        self.logs: dict[int, str] = {}
        self.files = ["frameworks/python/falcon/app.py"]
        self.comments: list[dict[str, Any]] = []
        self.posted: list[tuple[str, str, str]] = []
        self.issues: list[dict[str, Any]] = []
        self.labels: set[str] = set()
        self.refusals: dict[tuple[str, str], int] = {}
        self.troubles: list[Trouble] = []
        self.workflows: list[str] = []
        self.dispatches: list[Dispatch] = []
        self._more_comments: dict[str, list[dict[str, Any]]] = {}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    @contextmanager
    def running(self) -> Iterator[None]:
        """Answers as long as this is entered."""
        with _serving(self):
            yield

    @contextmanager
    def answering_at(self, path: Path) -> Iterator[None]:
        """Also answers at a Unix socket, which GitHub's command-line program asks if its http_unix_socket says so."""

        class Local(_Handler):
            def setup(local) -> None:  # noqa: N805
                local.server = self
                super().setup()

        with ThreadingUnixStreamServer(str(path), Local) as server, _serving(server):
            yield

    def below(self, path: str) -> str:
        """The path below the repository, without its query."""
        return path.partition("?")[0].removeprefix(f"/repos/{self._repository}/")

    def refusal(self, method: str, path: str) -> int | None:
        """The status with which a request is refused."""
        below = self.below(path)
        return next((s for (m, begun), s in self.refusals.items() if m == method and below.startswith(begun)), None)

    def trouble(self, method: str, path: str) -> Trouble | None:
        """The trouble that a request has, which no further request has."""
        below = self.below(path)
        found = next((t for t in self.troubles if t.method == method and below.startswith(t.begun)), None)
        if found:
            self.troubles.remove(found)
        return found

    def send(self, method: str, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        """Does what a request asks for. Returns the status and the answer."""
        self.posted.append((method, path, str(body.get("body", ""))))
        match method, self.below(path).split("/"):
            case "POST", ["", "graphql"]:
                return 200, {"data": {"repository": {"defaultBranchRef": {"name": "main"}}}}
            case "POST", ["actions", "workflows", workflow, "dispatches"]:
                name = self.workflows[int(workflow) - 1]
                self.dispatches.append(Dispatch(name, body["ref"], body.get("inputs") or {}))
                return 204, None
            case "POST", ["labels"]:
                if body["name"] in self.labels:
                    return 422, {"errors": [{"code": "already_exists"}]}
                self.labels.add(body["name"])
            case "POST", ["issues"]:
                known = self.labels.issuperset(body["labels"])
                assert known, "the real GitHub would make the label, without its colour and description"
                number = 100 + len(self.issues)
                labels = [{"name": name} for name in body["labels"]]
                self.issues.append(
                    {**body, "number": number, "state": "open", "user": {"login": BOT}, "labels": labels}
                )
                return 201, self.issues[-1]
            case "POST", ["issues", number, "comments"]:
                self._comments(number).append(
                    {"id": 1000 + len(self.posted), "body": body["body"], "user": {"login": BOT}}
                )
            case "PATCH", ["issues", "comments", number]:
                everything = [*self.comments, *(each for comments in self._more_comments.values() for each in comments)]
                for comment in (each for each in everything if str(each["id"]) == number):
                    comment.update(body)
            case "PATCH", ["issues", number] if number.isdigit():
                (issue,) = [each for each in self.issues if each["number"] == int(number)]
                issue.update(body)
        return 201, {}

    def _comments(self, number: str) -> list[dict[str, Any]]:
        """The comments on the pull request, or on an issue."""
        return self.comments if number == self._number else self._more_comments.setdefault(number, [])

    def _listed(self, query: str) -> list[dict[str, Any]]:
        """A page of the issues with the label and the state of the query, newest first, as GitHub lists them."""
        asked = {name: values[0] for name, values in parse_qs(query).items()}
        found = [
            issue
            for issue in reversed(self.issues)
            if asked.get("labels") in {label["name"] for label in issue["labels"]}
            and asked.get("state", "open") in ("all", issue["state"])
        ]
        return _page(found, query)

    def answer(self, path: str) -> Any:
        uploads = [*self.earlier.items(), *self.artifacts.items()]
        match self.below(path).split("/"):
            case ["issues"]:
                return self._listed(path.partition("?")[2])
            case ["actions", "workflows"]:
                known = [{"id": i, "name": name, "state": "active"} for i, name in enumerate(self.workflows, 1)]
                return {"total_count": len(known), "workflows": known}
            case ["actions", "runs", self._run, "artifacts"]:
                sized = [(i, n, self.sizes.get(n, len(upload))) for i, (n, upload) in enumerate(uploads)]
                listed = [{"id": i, "name": n, "size_in_bytes": size} for i, n, size in sized]
                return {"artifacts": _page(listed, path.partition("?")[2])}
            case ["actions", "runs", self._run, "jobs"]:
                return {"jobs": _page(self.jobs, path.partition("?")[2])}
            case ["actions", "jobs", number, "logs"]:
                return log.encode() if (log := self.logs.get(int(number))) is not None else None
            case ["actions", "artifacts", number, "zip"]:
                return uploads[int(number)][1]
            case ["pulls", self._number]:
                return self.pull_request
            case ["pulls", self._number, "files"]:
                return _page([{"filename": name} for name in self.files[:3000]], path.partition("?")[2])
            case ["issues", number, "comments"]:
                return _page(self._comments(number), path.partition("?")[2])
        return None


@contextmanager
def _serving(server: BaseServer) -> Iterator[None]:
    """Has a server answer in a thread of its own as long as this is entered."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()


def _page(found: list[dict[str, Any]], query: str) -> list[dict[str, Any]]:
    """The page that a query asks for."""
    asked = {name: values[0] for name, values in parse_qs(query).items()}
    size, page = int(asked.get("per_page", 30)), int(asked.get("page", 1))
    return found[size * (page - 1) : size * page]


class _Handler(BaseHTTPRequestHandler):
    server: FakeGitHub

    def do_GET(self) -> None:
        if trouble := self.server.trouble(self.command, self.path):
            return self._answer(trouble.status, trouble.text.encode(), trouble.headers)
        refused = self.server.refusal(self.command, self.path)
        found = None if refused else self.server.answer(self.path)
        body = found if isinstance(found, bytes) else json.dumps(found).encode()
        return self._answer(refused or (404 if found is None else 200), body)

    def do_POST(self) -> None:
        text = self.rfile.read(int(self.headers["content-length"]))
        if trouble := self.server.trouble(self.command, self.path):
            if trouble.arrived:
                self.server.send(self.command, self.path, json.loads(text))
            return self._answer(trouble.status, trouble.text.encode(), trouble.headers)
        refused = self.server.refusal(self.command, self.path)
        status, found = (refused, {}) if refused else self.server.send(self.command, self.path, json.loads(text))
        return self._answer(status, b"" if found is None else json.dumps(found).encode())

    def _answer(self, status: int, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_PATCH = do_POST  # noqa: N815

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Says nothing."""
