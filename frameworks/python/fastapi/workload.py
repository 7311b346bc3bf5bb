import asyncio

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel

from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password

router = APIRouter()


class Payload(BaseModel):
    payload: str


class Message(BaseModel):
    message: str


class Handled(BaseModel):
    message: str
    note: str


@router.post("/simple")
async def simple(body: Payload) -> Payload:
    return Payload(payload=greeting(body.payload))


@router.post("/timed")
async def timed(body: Payload) -> Payload:
    await asyncio.sleep(TIMED_SECONDS)
    return Payload(payload=greeting(body.payload))


@router.post("/bcrypt")
def bcrypt(body: Payload) -> Payload:
    """Without async: FastAPI runs it in its thread pool."""
    return Payload(payload=hash_password(body.payload))


@router.get("/status", response_class=PlainTextResponse)
async def status() -> str:
    return "OK"


@router.get("/labels/{label}", response_class=PlainTextResponse)
async def get_label(label: str) -> str:
    return label


@router.post("")
async def queue(body: Message) -> Handled:
    await asyncio.sleep(PROCESSING_SECONDS)
    return Handled(message=body.message, note=PROCESSING_NOTE)
