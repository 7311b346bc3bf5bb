import asyncio

from tornado.escape import json_decode
from tornado.ioloop import IOLoop
from tornado.web import HTTPError, RequestHandler

from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password


class Simple(RequestHandler):
    def post(self) -> None:
        self.write({"payload": greeting(read_text(self, "payload"))})


class Timed(RequestHandler):
    async def post(self) -> None:
        payload = read_text(self, "payload")
        await asyncio.sleep(TIMED_SECONDS)
        self.write({"payload": greeting(payload)})


class Bcrypt(RequestHandler):
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


class Queue(RequestHandler):
    async def post(self) -> None:
        message = read_text(self, "message")
        await asyncio.sleep(PROCESSING_SECONDS)
        self.write({"message": message, "note": PROCESSING_NOTE})


def read_text(handler: RequestHandler, key: str) -> str:
    """The text under that key of the body."""
    try:
        text = json_decode(handler.request.body)[key]
    except (ValueError, TypeError, KeyError) as error:
        raise HTTPError(400, reason=f"The body has no {key}") from error
    if not isinstance(text, str):
        raise HTTPError(400, reason=f"{key} is not a text")
    return text


handlers = [
    (r"/test", Queue),
    (r"/test/simple/raw", Simple),
    (r"/test/timed/raw", Timed),
    (r"/test/bcrypt", Bcrypt),
    (r"/test/status", Status),
    (r"/test/labels/([^/]+)", Label),
]
