import asyncio

from tornado.ioloop import IOLoop
from tornado.web import HTTPError, RequestHandler

from base import JSONHandler
from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password


class Simple(JSONHandler):
    def post(self) -> None:
        self.write({"payload": greeting(read_text(self, "payload"))})


class Timed(JSONHandler):
    async def post(self) -> None:
        payload = read_text(self, "payload")
        await asyncio.sleep(TIMED_SECONDS)
        self.write({"payload": greeting(payload)})


class Bcrypt(JSONHandler):
    async def post(self) -> None:
        payload = read_text(self, "payload")
        self.write({"payload": await IOLoop.current().run_in_executor(None, hash_password, payload)})


class Status(RequestHandler):
    def get(self) -> None:
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.write("OK")


class Label(RequestHandler):
    def get(self, label: str) -> None:
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.write(label)


class Queue(JSONHandler):
    async def post(self) -> None:
        message = read_text(self, "message")
        await asyncio.sleep(PROCESSING_SECONDS)
        self.write({"message": message, "note": PROCESSING_NOTE})


def read_text(handler: JSONHandler, key: str) -> str:
    """The text under that key of the body."""
    body = handler.json_args
    text = body.get(key) if isinstance(body, dict) else None
    if not isinstance(text, str):
        raise HTTPError(400)
    return text


handlers = [
    (r"/test", Queue),
    (r"/test/simple/raw", Simple),
    (r"/test/timed/raw", Timed),
    (r"/test/bcrypt", Bcrypt),
    (r"/test/status", Status),
    (r"/test/labels/([^/]+)", Label),
]
