"""An app that is right, and notes all that an app can see of its connections and requests: `python recorder.py`.

It is as fast as an app of Python's standard library can be, so that the load generator shows how fast it is itself.
`GET /recorded` answers with what was noted since the last time, as JSON.
"""

import asyncio
import itertools
import json
import os
import random
import re
import time
from pathlib import Path
from typing import Any

import uvloop  # type: ignore[import-not-found]

ISSUE_TRACKER = Path(os.environ["FIXTURES"]) / "issue-tracker"
SECONDS = float(os.environ["POOL_LATENCY_MS"]) / 1e3
LENGTH = re.compile(rb"\r\ncontent-length: *([0-9]+)", re.IGNORECASE)
FIELDS = ("summary", "description", "issue_type", "priority", "labels", "components")
USERS, TASKS = (json.loads((ISSUE_TRACKER / name).read_bytes()) for name in ("users.json", "tasks.json"))
NUMBERS = itertools.count(random.SystemRandom().randrange(10**9, 9 * 10**9))

accepted: list[tuple[int, float, int]] = []
"""The number of each connection, when it was accepted, and from which port it comes."""
requests: list[tuple[float, int, str, int, int, float, int, int, bool]] = []
"""When each came, over which connection, its kind, id and length of its body, when the answer before was written on its
connection (0 for the first), the hash of its header fields' names, how many connections were open, and whether its body
is wrong."""
numbers, open_now = itertools.count(), set[int]()


class Recorder(asyncio.Protocol):
    def connection_made(self, transport: Any) -> None:
        self.transport, self.number, self.unread, self.answered = transport, next(numbers), b"", 0.0
        accepted.append((self.number, time.monotonic(), transport.get_extra_info("peername")[1]))
        open_now.add(self.number)

    def connection_lost(self, _error: Exception | None) -> None:
        open_now.discard(self.number)

    def data_received(self, data: bytes) -> None:
        now, data = time.monotonic(), self.unread + data
        while (end := data.find(b"\r\n\r\n") + 4) > 3:
            found = LENGTH.search(data, 0, end)
            size = int(found[1]) if found else 0
            if len(data) < end + size:
                break
            head, body, data = data[:end], data[end : end + size], data[end + size :]
            self.answer(head, body, now)
        self.unread = data

    def answer(self, head: bytes, body: bytes, now: float) -> None:
        method, path, _ = head.split(b" ", 2)
        parts = path.decode().split("/")
        kind, identity = f"{method.decode()} {'/'.join(p for p in parts if not p.isdigit())}", 0
        if kind == "GET /recorded":
            self.write(200, "application/json", json.dumps([accepted, requests]).encode())
            accepted.clear()
            requests.clear()
            return
        if len(parts) > 5:
            identity = int(parts[5])
        status, of_type, text, waits = made(kind, identity, body)
        names = hash(tuple(line.partition(b":")[0] for line in head.split(b"\r\n")[1:]))
        requests.append(
            (now, self.number, kind, identity, len(body), self.answered, names, len(open_now), status >= 400)
        )
        if waits:
            asyncio.get_running_loop().call_later(SECONDS, self.write, status, of_type, text)
        else:
            self.write(status, of_type, text)

    def write(self, status: int, of_type: str, text: bytes) -> None:
        head = f"HTTP/1.1 {status} X\r\ncontent-type: {of_type}\r\ncontent-length: {len(text)}\r\n\r\n"
        self.transport.write(head.encode() + text)
        self.answered = time.monotonic()


def made(kind: str, identity: int, body: bytes) -> tuple[int, str, bytes, bool]:
    """Returns the status, type and body of the answer to a request, and whether it waits for the data source."""
    answer: Any
    match kind:
        case "GET /hello_world":
            return 200, "text/plain; charset=utf-8", b"Hello World", False
        case "GET /api/v1/userinfo/raw":
            number = next(NUMBERS)
            user = USERS[number % len(USERS)]
            answer = {**user, "sub": f"{user['sub']}-{identity}", "picture": f"{user['picture'][:-10]}{number}"}
        case "POST /api/v1/board/raw/task":
            try:
                sent = json.loads(body)
                fields = {field: sent[field] for field in FIELDS}
            except (ValueError, TypeError, KeyError):
                return 400, "application/json", b"{}", False
            number = next(NUMBERS)
            task = TASKS[number % len(TASKS)]
            author = {**task["author"], "picture": f"{task['author']['picture'][:-10]}{number}"}
            answer = {**task, **fields, "board": identity, "author": author}
            return 201, "application/json", json.dumps(answer).encode(), True
        case _:
            return 404, "text/plain", b"", False
    return 200, "application/json", json.dumps(answer).encode(), True


async def serve() -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Recorder, "0.0.0.0", int(os.environ["PORT"]), backlog=2048)  # noqa: S104
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(serve())
