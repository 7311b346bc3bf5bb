import asyncio

from fastapi import APIRouter
from pydantic import BaseModel

from shared.work import TIMED_SECONDS, greeting

router = APIRouter()


class Payload(BaseModel):
    payload: str


@router.post("/simple/pydantic")
async def simple(body: Payload) -> Payload:
    return Payload(payload=greeting(body.payload))


@router.post("/timed/pydantic")
async def timed(body: Payload) -> Payload:
    await asyncio.sleep(TIMED_SECONDS)
    return Payload(payload=greeting(body.payload))
