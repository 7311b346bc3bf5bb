import time

import falcon
from falcon import Request, Response

from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password


class Simple:
    def on_post(self, req: Request, resp: Response) -> None:
        resp.media = {"payload": greeting(read_text(req, "payload"))}


class Timed:
    def on_post(self, req: Request, resp: Response) -> None:
        payload = read_text(req, "payload")
        time.sleep(TIMED_SECONDS)
        resp.media = {"payload": greeting(payload)}


class Bcrypt:
    def on_post(self, req: Request, resp: Response) -> None:
        resp.media = {"payload": hash_password(read_text(req, "payload"))}


class Status:
    def on_get(self, req: Request, resp: Response) -> None:
        resp.content_type = falcon.MEDIA_TEXT
        resp.text = "OK"


class Label:
    def on_get(self, req: Request, resp: Response, label: str) -> None:
        resp.content_type = falcon.MEDIA_TEXT
        resp.text = label


class Queue:
    def on_post(self, req: Request, resp: Response) -> None:
        message = read_text(req, "message")
        time.sleep(PROCESSING_SECONDS)
        resp.media = {"message": message, "note": PROCESSING_NOTE}


def read_text(req: Request, key: str) -> str:
    """The text under that key of the body."""
    body = req.get_media()
    text = body.get(key) if isinstance(body, dict) else None
    if not isinstance(text, str):
        raise falcon.HTTPBadRequest(title=f"The body has no {key}.")
    return text
