"""The parts of GitHub's API that the service asks, over real HTTP."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class FakeGitHub(ThreadingHTTPServer):
    """One pull request, and the run of its workflow. `posted` are method, path and body of what was sent."""

    def __init__(self, run: int, number: int, head: str, repository: str = "o/r") -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self._run, self._number, self._repository = str(run), str(number), repository
        self.earlier: dict[str, bytes] = {}  # the artifacts of earlier attempts of the run
        self.artifacts: dict[str, bytes] = {}
        self.sizes: dict[str, int] = {}
        self.pull_request = {"head": {"sha": head}, "state": "open"}
        self.files = ["frameworks/python/falcon/app.py"]
        self.comments: list[dict[str, Any]] = []
        self.posted: list[tuple[str, str, str]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    @contextmanager
    def running(self) -> Iterator[None]:
        """Answers as long as this is entered."""
        thread = threading.Thread(target=self.serve_forever)
        thread.start()
        try:
            yield
        finally:
            self.shutdown()
            thread.join()

    def answer(self, path: str) -> Any:
        uploads = [*self.earlier.items(), *self.artifacts.items()]
        match path.partition("?")[0].removeprefix(f"/repos/{self._repository}/").split("/"):
            case ["actions", "runs", self._run, "artifacts"]:
                sized = [(i, n, self.sizes.get(n, len(upload))) for i, (n, upload) in enumerate(uploads)]
                return {"artifacts": [{"id": i, "name": n, "size_in_bytes": size} for i, n, size in sized]}
            case ["actions", "artifacts", number, "zip"]:
                return uploads[int(number)][1]
            case ["pulls", self._number]:
                return self.pull_request
            case ["pulls", self._number, "files"]:
                return [{"filename": name} for name in self.files]
            case ["issues", self._number, "comments"]:
                return self.comments
        return None


class _Handler(BaseHTTPRequestHandler):
    server: FakeGitHub

    def do_GET(self) -> None:
        found = self.server.answer(self.path)
        body = found if isinstance(found, bytes) else json.dumps(found).encode()
        self.send_response(404 if found is None else 200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        text = self.rfile.read(int(self.headers["content-length"]))
        self.server.posted.append((self.command, self.path, json.loads(text)["body"]))
        self.send_response(201)
        self.send_header("content-length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    do_PATCH = do_POST  # noqa: N815

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Says nothing."""
