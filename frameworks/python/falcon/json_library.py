"""A hook that gives a resource a JSON library of its own. Falcon's handlers of media are otherwise those of the app."""

from collections.abc import Callable
from typing import Any

import falcon
from falcon.asgi import Request, Response
from falcon.media import JSONHandler


class JSONLibrary:
    def __init__(self, dumps: Callable[[Any], bytes], loads: Callable[[str], Any]) -> None:
        handler = JSONHandler(dumps=dumps, loads=loads)
        self.req_options = falcon.RequestOptions()
        self.req_options.media_handlers[falcon.MEDIA_JSON] = handler
        self.resp_options = falcon.ResponseOptions()
        self.resp_options.media_handlers[falcon.MEDIA_JSON] = handler

    async def __call__(self, req: Request, resp: Response, resource: object, params: dict[str, Any]) -> None:
        req.options = self.req_options
        resp.options = self.resp_options
