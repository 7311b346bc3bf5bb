import asyncio

import falcon
from falcon.asgi import Request, Response

from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password


class Simple:
    async def on_post(self, req: Request, resp: Response) -> None:
        resp.media = {"payload": greeting(await read_text(req, "payload"))}


class Timed:
    async def on_post(self, req: Request, resp: Response) -> None:
        payload = await read_text(req, "payload")
        await asyncio.sleep(TIMED_SECONDS)
        resp.media = {"payload": greeting(payload)}


class Bcrypt:
    async def on_post(self, req: Request, resp: Response) -> None:
        payload = await read_text(req, "payload")
        resp.media = {"payload": await falcon.sync_to_async(hash_password, payload)}


class Status:
    async def on_get(self, req: Request, resp: Response) -> None:
        resp.content_type = falcon.MEDIA_TEXT
        resp.text = "OK"


class Label:
    async def on_get(self, req: Request, resp: Response, label: str) -> None:
        resp.content_type = falcon.MEDIA_TEXT
        resp.text = label


class Queue:
    async def on_post(self, req: Request, resp: Response) -> None:
        message = await read_text(req, "message")
        await asyncio.sleep(PROCESSING_SECONDS)
        resp.media = {"message": message, "note": PROCESSING_NOTE}


async def read_text(req: Request, key: str) -> str:
    """The text under that key of the body."""
    body = await req.get_media()
    text = body.get(key) if isinstance(body, dict) else None
    if not isinstance(text, str):
        raise falcon.HTTPBadRequest(title=f"The body has no {key}.")
    return text
