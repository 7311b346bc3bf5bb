import asyncio
import os
import signal
import socket
import sys

import uvloop
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.process import fork_processes
from tornado.web import Application, RequestHandler

import issue_tracker
import workload


class HelloWorld(RequestHandler):
    def get(self) -> None:
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.write("Hello World")


class ReadPart(RequestHandler):
    def get(self, part: str) -> None:
        self.write({"part": int(part)})


class CreatePart(RequestHandler):
    def post(self, part: str) -> None:
        self.write({"part": int(part)})


class ReplacePart(RequestHandler):
    def put(self, part: str) -> None:
        self.write({"part": int(part)})


app = Application(
    [
        (r"/hello_world", HelloWorld),
        *[
            (rf"/route-{method}-{number}/(\d+)", handler)
            for method, handler in {"get": ReadPart, "post": CreatePart, "put": ReplacePart}.items()
            for number in range(10)
        ],
        *issue_tracker.handlers,
        *workload.handlers,
    ],
    log_function=lambda handler: None,
)


async def serve(sockets: list[socket.socket]) -> None:
    server = HTTPServer(app)
    server.add_sockets(sockets)
    await asyncio.Event().wait()


def main() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # without it, PID 1 of a container would not stop
    sockets = bind_sockets(int(os.environ.get("PORT", "8080")))
    workers = int(os.environ.get("WORKERS", "1"))
    if workers > 1:
        fork_processes(workers)
    uvloop.run(serve(sockets))


if __name__ == "__main__":
    main()
