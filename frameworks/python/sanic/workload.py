import asyncio

from sanic import BadRequest, Blueprint, HTTPResponse, Request, json, text

from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password

blueprint = Blueprint("workload", url_prefix="/test")


@blueprint.post("/simple/raw")
async def simple(request: Request) -> HTTPResponse:
    return json({"payload": greeting(read_text(request, "payload"))})


@blueprint.post("/timed/raw")
async def timed(request: Request) -> HTTPResponse:
    payload = read_text(request, "payload")
    await asyncio.sleep(TIMED_SECONDS)
    return json({"payload": greeting(payload)})


@blueprint.post("/bcrypt")
async def bcrypt(request: Request) -> HTTPResponse:
    payload = read_text(request, "payload")
    return json({"payload": await asyncio.to_thread(hash_password, payload)})


@blueprint.get("/status")
async def status(request: Request) -> HTTPResponse:
    return text("OK")


@blueprint.get("/labels/<label:str>", unquote=True)
async def get_label(request: Request, label: str) -> HTTPResponse:
    return text(label)


@blueprint.post("/")
async def queue(request: Request) -> HTTPResponse:
    message = read_text(request, "message")
    await asyncio.sleep(PROCESSING_SECONDS)
    return json({"message": message, "note": PROCESSING_NOTE})


def read_text(request: Request, key: str) -> str:
    """The text under that key of the body."""
    body = request.json
    value = body.get(key) if isinstance(body, dict) else None
    if not isinstance(value, str):
        raise BadRequest(f"The body has no {key}.")
    return value
