import asyncio

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

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


async def label(request: Request) -> Response:
    return PlainTextResponse(request.path_params["label"])


async def queue(request: Request) -> Response:
    message = await read_text(request, "message")
    await asyncio.sleep(PROCESSING_SECONDS)
    return JSONResponse({"message": message, "note": PROCESSING_NOTE})


async def read_text(request: Request, key: str) -> str:
    """The text under that key of the body."""
    try:
        text = (await request.json())[key]
    except (ValueError, TypeError, KeyError) as error:
        raise HTTPException(400, detail=f"The body has no {key}.") from error
    if not isinstance(text, str):
        raise HTTPException(400, detail=f"{key} is not a text.")
    return text


routes = [
    Route("/test", queue, methods=["POST"]),
    Route("/test/simple/raw", simple, methods=["POST"]),
    Route("/test/timed/raw", timed, methods=["POST"]),
    Route("/test/bcrypt", bcrypt, methods=["POST"]),
    Route("/test/status", status),
    Route("/test/labels/{label}", label),
]
