import time

import falcon
import msgspec
from falcon import Request, Response
from msgspec import Struct

from json_library import JSONLibrary
from shared.work import TIMED_SECONDS, greeting


class Payload(Struct):
    payload: str


use_msgspec = JSONLibrary(msgspec.json.Encoder().encode, msgspec.json.Decoder(Payload).decode)


@falcon.before(use_msgspec)
class Simple:
    def on_post(self, req: Request, resp: Response) -> None:
        body: Payload = req.get_media()
        resp.media = Payload(greeting(body.payload))


@falcon.before(use_msgspec)
class Timed:
    def on_post(self, req: Request, resp: Response) -> None:
        body: Payload = req.get_media()
        time.sleep(TIMED_SECONDS)
        resp.media = Payload(greeting(body.payload))
