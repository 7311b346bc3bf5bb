import asyncio

from django.http import HttpRequest, HttpResponse
from ninja import Router, Schema

from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password

router = Router()


class Payload(Schema):
    payload: str


class Message(Schema):
    message: str


class Handled(Schema):
    message: str
    note: str


@router.post("/simple", response=Payload)
async def simple(request: HttpRequest, body: Payload) -> Payload:
    return Payload(payload=greeting(body.payload))


@router.post("/timed", response=Payload)
async def timed(request: HttpRequest, body: Payload) -> Payload:
    await asyncio.sleep(TIMED_SECONDS)
    return Payload(payload=greeting(body.payload))


@router.post("/bcrypt", response=Payload)
def bcrypt(request: HttpRequest, body: Payload) -> Payload:
    """Without async: Ninja runs it in a thread."""
    return Payload(payload=hash_password(body.payload))


@router.get("/status")
async def status(request: HttpRequest) -> HttpResponse:
    return HttpResponse("OK", content_type="text/plain; charset=utf-8")


@router.get("/labels/{label}")
async def get_label(request: HttpRequest, label: str) -> HttpResponse:
    return HttpResponse(label, content_type="text/plain; charset=utf-8")


@router.post("", response=Handled)
async def queue(request: HttpRequest, body: Message) -> Handled:
    await asyncio.sleep(PROCESSING_SECONDS)
    return Handled(message=body.message, note=PROCESSING_NOTE)
