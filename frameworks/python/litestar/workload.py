import asyncio
from dataclasses import dataclass

from litestar import MediaType, Router, get, post
from litestar.params import FromPath, JSONBody
from litestar.status_codes import HTTP_200_OK

from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password


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


@post("/simple", status_code=HTTP_200_OK)
async def simple(data: JSONBody[Payload]) -> Payload:
    return Payload(payload=greeting(data.payload))


@post("/timed", status_code=HTTP_200_OK)
async def timed(data: JSONBody[Payload]) -> Payload:
    await asyncio.sleep(TIMED_SECONDS)
    return Payload(payload=greeting(data.payload))


@post("/bcrypt", status_code=HTTP_200_OK, sync_to_thread=True)
def bcrypt(data: JSONBody[Payload]) -> Payload:
    return Payload(payload=hash_password(data.payload))


@get("/status", media_type=MediaType.TEXT)
async def status() -> str:
    return "OK"


@get("/labels/{label:str}", media_type=MediaType.TEXT)
async def get_label(label: FromPath[str]) -> str:
    return label


@post("/", status_code=HTTP_200_OK)
async def queue(data: JSONBody[Message]) -> Handled:
    await asyncio.sleep(PROCESSING_SECONDS)
    return Handled(message=data.message, note=PROCESSING_NOTE)


router = Router("/test", route_handlers=[queue, simple, timed, bcrypt, status, get_label])
