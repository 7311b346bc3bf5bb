import asyncio

from emmett import abort, request, response

from app import api, app
from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password


@api.route("/test/simple/raw", methods="post")
async def simple() -> dict[str, str]:
    return {"payload": greeting(await read_text("payload"))}


@api.route("/test/timed/raw", methods="post")
async def timed() -> dict[str, str]:
    payload = await read_text("payload")
    await asyncio.sleep(TIMED_SECONDS)
    return {"payload": greeting(payload)}


@api.route("/test/bcrypt", methods="post")
async def bcrypt() -> dict[str, str]:
    payload = await read_text("payload")
    return {"payload": await asyncio.to_thread(hash_password, payload)}


@app.route("/test/status", methods="get")
async def status() -> str:
    response.headers["content-type"] = "text/plain; charset=utf-8"
    return "OK"


@app.route("/test/labels/<str:label>", methods="get")
async def get_label(label: str) -> str:
    response.headers["content-type"] = "text/plain; charset=utf-8"
    return label


@api.route("/test", methods="post")
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
