"""A handler of its own decodes a body straight into its type, as in issue_tracker_msgspec.py."""

import asyncio

import falcon
import msgspec
from falcon.asgi import Request, Response
from falcon.media import JSONHandler
from msgspec import Struct

from shared.work import TIMED_SECONDS, greeting


class Payload(Struct):
    payload: str


handler = JSONHandler(dumps=msgspec.json.Encoder().encode, loads=msgspec.json.Decoder(Payload).decode)


class Simple:
    async def on_post(self, req: Request, resp: Response) -> None:
        body = await read_payload(req)
        resp.data = handler.serialize(Payload(greeting(body.payload)), falcon.MEDIA_JSON)


class Timed:
    async def on_post(self, req: Request, resp: Response) -> None:
        body = await read_payload(req)
        await asyncio.sleep(TIMED_SECONDS)
        resp.data = handler.serialize(Payload(greeting(body.payload)), falcon.MEDIA_JSON)


async def read_payload(req: Request) -> Payload:
    return await handler.deserialize_async(req.stream, req.content_type, req.content_length)
