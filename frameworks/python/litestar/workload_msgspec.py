import asyncio

from litestar import Router, post
from litestar.params import JSONBody
from litestar.status_codes import HTTP_200_OK
from msgspec import Struct

from shared.work import TIMED_SECONDS, greeting


class Payload(Struct):
    payload: str


@post("/simple/msgspec", status_code=HTTP_200_OK)
async def simple(data: JSONBody[Payload]) -> Payload:
    return Payload(payload=greeting(data.payload))


@post("/timed/msgspec", status_code=HTTP_200_OK)
async def timed(data: JSONBody[Payload]) -> Payload:
    await asyncio.sleep(TIMED_SECONDS)
    return Payload(payload=greeting(data.payload))


router = Router("/test", route_handlers=[simple, timed])
