import time

from flask import Response
from flask_smorest import Blueprint
from marshmallow import EXCLUDE, Schema, fields

from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password

blp = Blueprint("workload", __name__, url_prefix="/test", description="Business logic")


class PayloadSchema(Schema):
    class Meta:
        unknown = EXCLUDE

    payload = fields.String(required=True)


class MessageSchema(Schema):
    class Meta:
        unknown = EXCLUDE

    message = fields.String(required=True)


class HandledSchema(MessageSchema):
    note = fields.String(required=True)


@blp.post("/simple")
@blp.arguments(PayloadSchema)
@blp.response(200, PayloadSchema)
def simple(body: dict[str, str]) -> dict[str, str]:
    """Greet"""
    return {"payload": greeting(body["payload"])}


@blp.post("/timed")
@blp.arguments(PayloadSchema)
@blp.response(200, PayloadSchema)
def timed(body: dict[str, str]) -> dict[str, str]:
    """Greet after some waiting"""
    time.sleep(TIMED_SECONDS)
    return {"payload": greeting(body["payload"])}


@blp.post("/bcrypt")
@blp.arguments(PayloadSchema)
@blp.response(200, PayloadSchema)
def bcrypt(body: dict[str, str]) -> dict[str, str]:
    """Hash a password"""
    return {"payload": hash_password(body["payload"])}


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
@blp.arguments(MessageSchema)
@blp.response(200, HandledSchema)
def queue(body: dict[str, str]) -> dict[str, str]:
    """Handle a message"""
    time.sleep(PROCESSING_SECONDS)
    return {"message": body["message"], "note": PROCESSING_NOTE}
