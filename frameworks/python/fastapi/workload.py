import asyncio
from typing import Any

from fastapi import APIRouter, HTTPException, status
from fastapi.responses import PlainTextResponse

from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password

router = APIRouter()


@router.post("/simple/raw")
async def simple(body: dict[str, Any]) -> dict[str, str]:
    return {"payload": greeting(text_of(body, "payload"))}


@router.post("/timed/raw")
async def timed(body: dict[str, Any]) -> dict[str, str]:
    payload = text_of(body, "payload")
    await asyncio.sleep(TIMED_SECONDS)
    return {"payload": greeting(payload)}


@router.post("/bcrypt")
def bcrypt(body: dict[str, Any]) -> dict[str, str]:
    """Without async: FastAPI runs it in its thread pool."""
    return {"payload": hash_password(text_of(body, "payload"))}


@router.get("/status")
async def get_status() -> PlainTextResponse:
    return PlainTextResponse("OK")


@router.get("/labels/{label}")
async def get_label(label: str) -> PlainTextResponse:
    return PlainTextResponse(label)


@router.post("")
async def queue(body: dict[str, Any]) -> dict[str, str]:
    message = text_of(body, "message")
    await asyncio.sleep(PROCESSING_SECONDS)
    return {"message": message, "note": PROCESSING_NOTE}


def text_of(body: dict[str, Any], key: str) -> str:
    """The text under that key of the body."""
    text = body.get(key)
    if not isinstance(text, str):
        raise HTTPException(status.HTTP_400_BAD_REQUEST, detail=f"The body has no {key}.")
    return text
