import asyncio
from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Body, Router
from ninja.errors import HttpError

from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password

router = Router()


@router.post("/simple/raw")
async def simple(request: HttpRequest, body: Body[dict[str, Any]]) -> dict[str, str]:
    return {"payload": greeting(text_of(body, "payload"))}


@router.post("/timed/raw")
async def timed(request: HttpRequest, body: Body[dict[str, Any]]) -> dict[str, str]:
    payload = text_of(body, "payload")
    await asyncio.sleep(TIMED_SECONDS)
    return {"payload": greeting(payload)}


@router.post("/bcrypt")
def bcrypt(request: HttpRequest, body: Body[dict[str, Any]]) -> dict[str, str]:
    """Without async: Ninja runs it in a thread."""
    return {"payload": hash_password(text_of(body, "payload"))}


@router.get("/status")
async def status(request: HttpRequest) -> HttpResponse:
    return HttpResponse("OK", content_type="text/plain; charset=utf-8")


@router.get("/labels/{label}")
async def get_label(request: HttpRequest, label: str) -> HttpResponse:
    return HttpResponse(label, content_type="text/plain; charset=utf-8")


@router.post("")
async def queue(request: HttpRequest, body: Body[dict[str, Any]]) -> dict[str, str]:
    message = text_of(body, "message")
    await asyncio.sleep(PROCESSING_SECONDS)
    return {"message": message, "note": PROCESSING_NOTE}


def text_of(body: dict[str, Any], key: str) -> str:
    """The text under that key of the body."""
    text = body.get(key)
    if not isinstance(text, str):
        raise HttpError(400, f"The body has no {key}.")
    return text
