import asyncio
from dataclasses import dataclass

from squall import Router
from squall.responses import PlainTextResponse

from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password

router = Router(prefix="/test")


@dataclass
class Payload:
    payload: str


@dataclass
class Message:
    message: str


@dataclass
class Handled:
    message: str
    note: str


@router.post("/simple", response_model=Payload)
async def simple(data: Payload) -> Payload:
    return Payload(greeting(data.payload))


@router.post("/timed", response_model=Payload)
async def timed(data: Payload) -> Payload:
    await asyncio.sleep(TIMED_SECONDS)
    return Payload(greeting(data.payload))


@router.post("/bcrypt", response_model=Payload)
def bcrypt(data: Payload) -> Payload:
    """Without async: Squall runs it in its thread pool."""
    return Payload(hash_password(data.payload))


@router.get("/status", response_class=PlainTextResponse)
async def status() -> str:
    return "OK"


@router.get("/labels/{label}", response_class=PlainTextResponse)
async def get_label(label: str) -> str:
    return label


@router.post("", response_model=Handled)
async def queue(data: Message) -> Handled:
    await asyncio.sleep(PROCESSING_SECONDS)
    return Handled(data.message, PROCESSING_NOTE)
