import asyncio
from typing import Any

from litestar import MediaType, Router, get, post
from litestar.exceptions import ValidationException
from litestar.params import FromPath, JSONBody
from litestar.status_codes import HTTP_200_OK

from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password


@post("/simple/raw", status_code=HTTP_200_OK)
async def simple(data: JSONBody[dict[str, Any]]) -> dict[str, str]:
    return {"payload": greeting(text_of(data, "payload"))}


@post("/timed/raw", status_code=HTTP_200_OK)
async def timed(data: JSONBody[dict[str, Any]]) -> dict[str, str]:
    payload = text_of(data, "payload")
    await asyncio.sleep(TIMED_SECONDS)
    return {"payload": greeting(payload)}


@post("/bcrypt", status_code=HTTP_200_OK, sync_to_thread=True)
def bcrypt(data: JSONBody[dict[str, Any]]) -> dict[str, str]:
    return {"payload": hash_password(text_of(data, "payload"))}


@get("/status", media_type=MediaType.TEXT, sync_to_thread=False)
def status() -> str:
    return "OK"


@get("/labels/{label:str}", media_type=MediaType.TEXT, sync_to_thread=False)
def get_label(label: FromPath[str]) -> str:
    return label


@post("/", status_code=HTTP_200_OK)
async def queue(data: JSONBody[dict[str, Any]]) -> dict[str, str]:
    message = text_of(data, "message")
    await asyncio.sleep(PROCESSING_SECONDS)
    return {"message": message, "note": PROCESSING_NOTE}


def text_of(body: dict[str, Any], key: str) -> str:
    """The text under that key of the body."""
    text = body.get(key)
    if not isinstance(text, str):
        raise ValidationException(f"The body has no {key}.")
    return text


router = Router("/test", route_handlers=[queue, simple, timed, bcrypt, status, get_label])
