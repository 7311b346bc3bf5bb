import asyncio
import os
import signal
import socket
import sys
from typing import Any

import uvloop
from tornado.escape import json_decode
from tornado.httpserver import HTTPServer
from tornado.ioloop import PeriodicCallback
from tornado.netutil import bind_sockets
from tornado.process import fork_processes
from tornado.web import Application, HTTPError, RequestHandler

import workload
from shared.source import TASK_FIELDS, source


class HelloWorld(RequestHandler):
    def get(self) -> None:
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.write("Hello World")


class GetPart(RequestHandler):
    def get(self, part: str) -> None:
        self.write({"part": int(part)})


class PostPart(RequestHandler):
    def post(self, part: str) -> None:
        self.write({"part": int(part)})


class PutPart(RequestHandler):
    def put(self, part: str) -> None:
        self.write({"part": int(part)})


class UserInfo(RequestHandler):
    async def get(self, user_id: str) -> None:
        user = await source.user()
        self.write({**user, "sub": f"{user['sub']}-{int(user_id)}"})


class Sprint(RequestHandler):
    async def get(self, sprint_id: str) -> None:
        board = await source.sprint()
        self.write({**board, "sprint": {**board["sprint"], "id": int(sprint_id)}})


class Tasks(RequestHandler):
    async def post(self, board_id: str) -> None:
        task = self.read_task()
        row = await source.task()
        self.set_status(201)
        self.write({**row, "board": int(board_id), **task})

    async def put(self, board_id: str) -> None:
        await source.save_task(self.read_task())
        self.set_status(204)

    def read_task(self) -> dict[str, Any]:
        """The fields of a task; whatever else was sent is ignored."""
        try:
            body = json_decode(self.request.body)
            return {field: body[field] for field in TASK_FIELDS}
        except (ValueError, TypeError, KeyError) as error:
            raise HTTPError(400, reason="The body is not a task") from error


# Tornado adds an ETag to each answer by default: the hash of its body.
app = Application(
    [
        (r"/hello_world", HelloWorld),
        *[
            (rf"/route-{method}-{number}/(\d+)", handler)
            for method, handler in {"get": GetPart, "post": PostPart, "put": PutPart}.items()
            for number in range(10)
        ],
        (r"/api/v1/userinfo/raw/(\d+)", UserInfo),
        (r"/api/v1/sprint/raw/(\d+)", Sprint),
        (r"/api/v1/board/raw/(\d+)/task", Tasks),
        *workload.handlers,
    ],
    log_function=lambda handler: None,
)


async def serve(sockets: list[socket.socket], parent: int | None) -> None:
    server = HTTPServer(app)
    server.add_sockets(sockets)
    stopping = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopping.set)
    if parent is not None:  # a worker does not outlive the process that restarts workers
        PeriodicCallback(lambda: None if os.getppid() == parent else stopping.set(), 1000).start()
    await stopping.wait()
    server.stop()
    await server.close_all_connections()


def main() -> None:
    workers = int(os.environ.get("WORKERS", "1"))
    sockets = bind_sockets(int(os.environ.get("PORT", "8080")))
    parent = None
    if workers > 1:
        parent = os.getpid()
        signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # without it, PID 1 of a container would not stop
        fork_processes(workers)
    uvloop.run(serve(sockets, parent))


if __name__ == "__main__":
    main()
