import asyncio

from django.http import HttpRequest
from ninja import Router, Schema

from shared.work import TIMED_SECONDS, greeting

router = Router()


class Payload(Schema):
    payload: str


@router.post("/simple/pydantic", response=Payload)
async def simple(request: HttpRequest, body: Payload) -> Payload:
    return Payload(payload=greeting(body.payload))


@router.post("/timed/pydantic", response=Payload)
async def timed(request: HttpRequest, body: Payload) -> Payload:
    await asyncio.sleep(TIMED_SECONDS)
    return Payload(payload=greeting(body.payload))
