import time

from flask import Response, request
from flask.views import MethodView
from flask_smorest import Blueprint, abort

from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password

blp = Blueprint("workload", __name__, url_prefix="/test", description="Business logic without schemas")


@blp.route("/simple/raw")
class Simple(MethodView):
    @blp.response(200)
    def post(self) -> dict[str, str]:
        """Greet"""
        return {"payload": greeting(read_text("payload"))}


@blp.route("/timed/raw")
class Timed(MethodView):
    @blp.response(200)
    def post(self) -> dict[str, str]:
        """Greet after some waiting"""
        payload = read_text("payload")
        time.sleep(TIMED_SECONDS)
        return {"payload": greeting(payload)}


@blp.route("/bcrypt")
class Bcrypt(MethodView):
    @blp.response(200)
    def post(self) -> dict[str, str]:
        """Hash a password"""
        return {"payload": hash_password(read_text("payload"))}


@blp.route("/status")
class Status(MethodView):
    @blp.response(200, {"type": "string"}, content_type="text/plain")
    def get(self) -> Response:
        """Whether the app is well"""
        return Response("OK", mimetype="text/plain")


@blp.route("/labels/<label>")
class Label(MethodView):
    @blp.response(200, {"type": "string"}, content_type="text/plain")
    def get(self, label: str) -> Response:
        """A label as it was sent"""
        return Response(label, mimetype="text/plain")


@blp.route("")
class Queue(MethodView):
    @blp.response(200)
    def post(self) -> dict[str, str]:
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
