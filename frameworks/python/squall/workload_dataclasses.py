import asyncio
from dataclasses import dataclass

from squall import Router

from shared.work import TIMED_SECONDS, greeting

router = Router(prefix="/test")


@dataclass
class Payload:
    payload: str


@router.post("/simple/dataclasses", response_model=Payload)
async def simple(data: Payload) -> Payload:
    return Payload(greeting(data.payload))


@router.post("/timed/dataclasses", response_model=Payload)
async def timed(data: Payload) -> Payload:
    await asyncio.sleep(TIMED_SECONDS)
    return Payload(greeting(data.payload))
