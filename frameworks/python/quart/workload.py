import asyncio

from quart import Blueprint, Response, abort, jsonify, request
from quart.utils import run_sync

from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password

blueprint = Blueprint("workload", __name__, url_prefix="/test")


@blueprint.post("/simple/raw")
async def simple() -> Response:
    return jsonify(payload=greeting(await read_text("payload")))


@blueprint.post("/timed/raw")
async def timed() -> Response:
    payload = await read_text("payload")
    await asyncio.sleep(TIMED_SECONDS)
    return jsonify(payload=greeting(payload))


@blueprint.post("/bcrypt")
async def bcrypt() -> Response:
    payload = await read_text("payload")
    return jsonify(payload=await run_sync(hash_password)(payload))


@blueprint.get("/status")
async def status() -> Response:
    return Response("OK", mimetype="text/plain")


@blueprint.get("/labels/<label>")
async def get_label(label: str) -> Response:
    return Response(label, mimetype="text/plain")


@blueprint.post("")
async def queue() -> Response:
    message = await read_text("message")
    await asyncio.sleep(PROCESSING_SECONDS)
    return jsonify(message=message, note=PROCESSING_NOTE)


async def read_text(key: str) -> str:
    """The text under that key of the body."""
    body = await request.get_json()
    text = body.get(key) if isinstance(body, dict) else None
    if not isinstance(text, str):
        abort(400, f"The body has no {key}.")
    return text
