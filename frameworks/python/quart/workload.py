import asyncio

from quart import Blueprint, Response, abort, request
from quart.utils import run_sync

from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password

blueprint = Blueprint("workload", __name__, url_prefix="/test")


@blueprint.post("/simple/raw")
async def simple() -> dict[str, str]:
    return {"payload": greeting(await read_text("payload"))}


@blueprint.post("/timed/raw")
async def timed() -> dict[str, str]:
    payload = await read_text("payload")
    await asyncio.sleep(TIMED_SECONDS)
    return {"payload": greeting(payload)}


@blueprint.post("/bcrypt")
async def bcrypt() -> dict[str, str]:
    payload = await read_text("payload")
    return {"payload": await run_sync(hash_password)(payload)}


@blueprint.get("/status")
async def status() -> Response:
    return Response("OK", mimetype="text/plain")


@blueprint.get("/labels/<label>")
async def get_label(label: str) -> Response:
    return Response(label, mimetype="text/plain")


@blueprint.post("")
async def queue() -> dict[str, str]:
    message = await read_text("message")
    await asyncio.sleep(PROCESSING_SECONDS)
    return {"message": message, "note": PROCESSING_NOTE}


async def read_text(key: str) -> str:
    """The text under that key of the body."""
    body = await request.get_json()
    text = body.get(key) if isinstance(body, dict) else None
    if not isinstance(text, str):
        abort(400, f"The body has no {key}.")
    return text
