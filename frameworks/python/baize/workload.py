import asyncio

from baize.asgi import JSONResponse, PlainTextResponse, Request, Response
from baize.concurrency import run_in_threadpool
from baize.exceptions import abort

from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password


async def simple(request: Request) -> Response:
    payload = await read_text(request, "payload")
    return JSONResponse({"payload": greeting(payload)})


async def timed(request: Request) -> Response:
    payload = await read_text(request, "payload")
    await asyncio.sleep(TIMED_SECONDS)
    return JSONResponse({"payload": greeting(payload)})


async def bcrypt(request: Request) -> Response:
    payload = await read_text(request, "payload")
    return JSONResponse({"payload": await run_in_threadpool(hash_password, payload)})


async def status(request: Request) -> Response:
    return PlainTextResponse("OK")


async def get_label(request: Request) -> Response:
    return PlainTextResponse(request.path_params["label"])


async def queue(request: Request) -> Response:
    message = await read_text(request, "message")
    await asyncio.sleep(PROCESSING_SECONDS)
    return JSONResponse({"message": message, "note": PROCESSING_NOTE})


async def read_text(request: Request, key: str) -> str:
    """The text under that key of the body."""
    try:
        text = (await request.json)[key]
    except (ValueError, TypeError, LookupError):  # an unknown charset is a LookupError
        abort(400, content=f"The body has no {key}.")
    if not isinstance(text, str):
        abort(400, content=f"{key} is not a text.")
    return text
