"""A handler of its own decodes a body straight into its type, as in issue_tracker_msgspec.py."""

import time

import falcon
import msgspec
from falcon import Request, Response
from falcon.media import JSONHandler
from msgspec import Struct

from shared.work import TIMED_SECONDS, greeting


class Payload(Struct):
    payload: str


handler = JSONHandler(dumps=msgspec.json.Encoder().encode, loads=msgspec.json.Decoder(Payload).decode)


class Simple:
    def on_post(self, req: Request, resp: Response) -> None:
        body = read_payload(req)
        resp.data = handler.serialize(Payload(greeting(body.payload)), falcon.MEDIA_JSON)


class Timed:
    def on_post(self, req: Request, resp: Response) -> None:
        body = read_payload(req)
        time.sleep(TIMED_SECONDS)
        resp.data = handler.serialize(Payload(greeting(body.payload)), falcon.MEDIA_JSON)


def read_payload(req: Request) -> Payload:
    return handler.deserialize(req.bounded_stream, req.content_type, req.content_length)
