import asyncio
from urllib.parse import unquote

from pydantic import BaseModel
from robyn import Response, SubRouter

import responses
from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password

router = SubRouter(prefix="/test")


class Payload(BaseModel):
    payload: str


class Message(BaseModel):
    message: str


class Handled(BaseModel):
    message: str
    note: str


@router.post("/simple")
def simple(sent: Payload) -> Payload:
    return Payload(payload=greeting(sent.payload))


@router.post("/timed")
async def timed(sent: Payload) -> Payload:
    await asyncio.sleep(TIMED_SECONDS)
    return Payload(payload=greeting(sent.payload))


@router.post("/bcrypt")
async def bcrypt(sent: Payload) -> Payload:
    """A function without async would run in the thread that takes the requests."""
    return Payload(payload=await asyncio.to_thread(hash_password, sent.payload))


@router.get("/status")
def status() -> Response:
    return responses.text("OK")


@router.get("/labels/:label")
def get_label(label: str) -> Response:
    return responses.text(unquote(label))


@router.post("/")
async def queue(sent: Message) -> Handled:
    await asyncio.sleep(PROCESSING_SECONDS)
    return Handled(message=sent.message, note=PROCESSING_NOTE)
