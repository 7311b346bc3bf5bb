import asyncio

from emmett import abort, request, response
from emmett.tools import service

from app import app
from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password


@app.route("/test/simple/raw", methods="post")
@service.json
async def simple() -> dict[str, str]:
    return {"payload": greeting(await read_text("payload"))}


@app.route("/test/timed/raw", methods="post")
@service.json
async def timed() -> dict[str, str]:
    payload = await read_text("payload")
    await asyncio.sleep(TIMED_SECONDS)
    return {"payload": greeting(payload)}


@app.route("/test/bcrypt", methods="post")
@service.json
async def bcrypt() -> dict[str, str]:
    payload = await read_text("payload")
    return {"payload": await asyncio.to_thread(hash_password, payload)}


@app.route("/test/status", methods="get")
async def status() -> str:
    response.headers["content-type"] = "text/plain; charset=utf-8"
    return "OK"


@app.route("/test/labels/<str:name>", methods="get")
async def label(name: str) -> str:
    response.headers["content-type"] = "text/plain; charset=utf-8"
    return name


@app.route("/test", methods="post")
@service.json
async def queue() -> dict[str, str]:
    message = await read_text("message")
    await asyncio.sleep(PROCESSING_SECONDS)
    return {"message": message, "note": PROCESSING_NOTE}


async def read_text(key: str) -> str:
    """The text under that key of the body."""
    try:
        text = (await request.body_params)[key]
    except (TypeError, ValueError):  # JSON, but no object
        text = None
    if not isinstance(text, str):
        abort(400, f"The body has no {key}.")
    return text
