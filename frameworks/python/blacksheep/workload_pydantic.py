import asyncio

from blacksheep import FromJSON, Response, json
from pydantic import BaseModel

from shared.work import TIMED_SECONDS, greeting


class Payload(BaseModel):
    payload: str


async def simple(data: FromJSON[Payload]) -> Response:
    return json(Payload(payload=greeting(data.value.payload)))


async def timed(data: FromJSON[Payload]) -> Response:
    await asyncio.sleep(TIMED_SECONDS)
    return json(Payload(payload=greeting(data.value.payload)))
