import asyncio

from blacksheep import FromJSON, Request, Response, json, text
from pydantic import BaseModel

from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password


class Payload(BaseModel):
    payload: str


class Message(BaseModel):
    message: str


async def simple(data: FromJSON[Payload]) -> Response:
    return json({"payload": greeting(data.value.payload)})


async def timed(data: FromJSON[Payload]) -> Response:
    await asyncio.sleep(TIMED_SECONDS)
    return json({"payload": greeting(data.value.payload)})


async def bcrypt(data: FromJSON[Payload]) -> Response:
    # BlackSheep's documentation: work for the CPU goes to a pool, as handlers without async run on the event loop too
    hashed = await asyncio.get_running_loop().run_in_executor(None, hash_password, data.value.payload)
    return json({"payload": hashed})


def status() -> Response:
    return text("OK")


def get_label(request: Request) -> Response:
    # a parameter of the handler would be percent-decoded twice
    return text(request.route_values["label"])


async def queue(data: FromJSON[Message]) -> Response:
    await asyncio.sleep(PROCESSING_SECONDS)
    return json({"message": data.value.message, "note": PROCESSING_NOTE})
