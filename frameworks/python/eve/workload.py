import time

from eve.methods.common import payload
from eve.render import send_response
from flask import Blueprint, Response, abort

from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password

blueprint = Blueprint("workload", __name__, url_prefix="/test")


@blueprint.post("/simple/raw")
def simple() -> Response:
    return send_response(None, ({"payload": greeting(read_text("payload"))},))


@blueprint.post("/timed/raw")
def timed() -> Response:
    text = read_text("payload")
    time.sleep(TIMED_SECONDS)
    return send_response(None, ({"payload": greeting(text)},))


@blueprint.post("/bcrypt")
def bcrypt() -> Response:
    return send_response(None, ({"payload": hash_password(read_text("payload"))},))


@blueprint.get("/status")
def status() -> Response:
    return Response("OK", mimetype="text/plain")


@blueprint.get("/labels/<label>")
def get_label(label: str) -> Response:
    return Response(label, mimetype="text/plain")


@blueprint.post("")
def queue() -> Response:
    message = read_text("message")
    time.sleep(PROCESSING_SECONDS)
    return send_response(None, ({"message": message, "note": PROCESSING_NOTE},))


def read_text(key: str) -> str:
    """The text under that key of the body."""
    body = payload()
    text = body.get(key) if isinstance(body, dict) else None
    if not isinstance(text, str):
        abort(400, f"The body has no {key}.")
    return text
