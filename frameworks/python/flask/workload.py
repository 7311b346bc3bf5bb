import time

from flask import Blueprint, Response, abort, request

from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password

blueprint = Blueprint("workload", __name__, url_prefix="/test")


@blueprint.post("/simple/raw")
def simple() -> dict[str, str]:
    return {"payload": greeting(read_text("payload"))}


@blueprint.post("/timed/raw")
def timed() -> dict[str, str]:
    payload = read_text("payload")
    time.sleep(TIMED_SECONDS)
    return {"payload": greeting(payload)}


@blueprint.post("/bcrypt")
def bcrypt() -> dict[str, str]:
    return {"payload": hash_password(read_text("payload"))}


@blueprint.get("/status")
def status() -> Response:
    return Response("OK", mimetype="text/plain")


@blueprint.get("/labels/<label>")
def get_label(label: str) -> Response:
    return Response(label, mimetype="text/plain")


@blueprint.post("")
def queue() -> dict[str, str]:
    message = read_text("message")
    time.sleep(PROCESSING_SECONDS)
    return {"message": message, "note": PROCESSING_NOTE}


def read_text(key: str) -> str:
    """The text under that key of the body."""
    body = request.get_json()
    text = body.get(key) if isinstance(body, dict) else None
    if not isinstance(text, str):
        abort(400, f"The body has no {key}.")
    return text
