import time

from flask import Response, request
from flask_smorest import Blueprint, abort

from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password

blp = Blueprint("workload", __name__, url_prefix="/test", description="Business logic without schemas")


@blp.post("/simple/raw")
@blp.response(200)
def simple() -> dict[str, str]:
    """Greet"""
    return {"payload": greeting(read_text("payload"))}


@blp.post("/timed/raw")
@blp.response(200)
def timed() -> dict[str, str]:
    """Greet after some waiting"""
    payload = read_text("payload")
    time.sleep(TIMED_SECONDS)
    return {"payload": greeting(payload)}


@blp.post("/bcrypt")
@blp.response(200)
def bcrypt() -> dict[str, str]:
    """Hash a password"""
    return {"payload": hash_password(read_text("payload"))}


@blp.get("/status")
@blp.response(200, {"type": "string"}, content_type="text/plain")
def status() -> Response:
    """Whether the app is well"""
    return Response("OK", mimetype="text/plain")


@blp.get("/labels/<label>")
@blp.response(200, {"type": "string"}, content_type="text/plain")
def get_label(label: str) -> Response:
    """A label as it was sent"""
    return Response(label, mimetype="text/plain")


@blp.post("")
@blp.response(200)
def queue() -> dict[str, str]:
    """Handle a message"""
    message = read_text("message")
    time.sleep(PROCESSING_SECONDS)
    return {"message": message, "note": PROCESSING_NOTE}


def read_text(key: str) -> str:
    """The text under that key of the body."""
    body = request.get_json()
    text = body.get(key) if isinstance(body, dict) else None
    if not isinstance(text, str):
        abort(400, message=f"The body has no {key}.")
    return text
