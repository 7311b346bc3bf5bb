import time

from flask import Response
from flask_restx import Namespace, Resource

from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password

ns = Namespace("workload", path="/test")


@ns.route("/simple/raw")
class RawSimple(Resource):
    def post(self) -> dict[str, str]:
        return {"payload": greeting(read_text("payload"))}


@ns.route("/timed/raw")
class RawTimed(Resource):
    def post(self) -> dict[str, str]:
        payload = read_text("payload")
        time.sleep(TIMED_SECONDS)
        return {"payload": greeting(payload)}


@ns.route("/bcrypt")
class Bcrypt(Resource):
    def post(self) -> dict[str, str]:
        return {"payload": hash_password(read_text("payload"))}


@ns.route("/status")
class Status(Resource):
    def get(self) -> Response:
        return Response("OK", mimetype="text/plain")


@ns.route("/labels/<label>")
class Label(Resource):
    def get(self, label: str) -> Response:
        return Response(label, mimetype="text/plain")


@ns.route("")
class Queue(Resource):
    def post(self) -> dict[str, str]:
        message = read_text("message")
        time.sleep(PROCESSING_SECONDS)
        return {"message": message, "note": PROCESSING_NOTE}


def read_text(key: str) -> str:
    """The text under that key of the body."""
    body = ns.payload
    text = body.get(key) if isinstance(body, dict) else None
    if not isinstance(text, str):
        ns.abort(400, f"The body has no {key}.")
    return text
