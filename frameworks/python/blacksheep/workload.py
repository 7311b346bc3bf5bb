import asyncio
from typing import Any

from blacksheep import FromJSON, Request, Response, json, text
from blacksheep.exceptions import BadRequest

from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password


async def simple(data: FromJSON[dict]) -> Response:
    return json({"payload": greeting(text_of(data.value, "payload"))})


async def timed(data: FromJSON[dict]) -> Response:
    payload = text_of(data.value, "payload")
    await asyncio.sleep(TIMED_SECONDS)
    return json({"payload": greeting(payload)})


async def bcrypt(data: FromJSON[dict]) -> Response:
    payload = text_of(data.value, "payload")
    # BlackSheep's documentation: work for the CPU goes to a pool, as handlers without async run on the event loop too
    hashed = await asyncio.get_running_loop().run_in_executor(None, hash_password, payload)
    return json({"payload": hashed})


def status() -> Response:
    return text("OK")


def get_label(request: Request) -> Response:
    # a parameter of the handler would be percent-decoded twice
    return text(request.route_values["label"])


async def queue(data: FromJSON[dict]) -> Response:
    message = text_of(data.value, "message")
    await asyncio.sleep(PROCESSING_SECONDS)
    return json({"message": message, "note": PROCESSING_NOTE})


def text_of(body: Any, key: str) -> str:
    """The text under that key of the body."""
    value = body.get(key) if isinstance(body, dict) else None
    if not isinstance(value, str):
        raise BadRequest(f"The body has no {key}.")
    return value
