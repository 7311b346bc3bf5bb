"""Routes of its own with Eve's validator: Eve's resources answer a POST with 201, and are all below /api/v1."""

import time

from eve.render import send_response
from flask import Blueprint, Response

from issue_tracker_cerberus import Schema, read_document
from shared.work import TIMED_SECONDS, greeting

blueprint = Blueprint("workload_cerberus", __name__, url_prefix="/test")

PAYLOAD: Schema = {"payload": {"type": "string", "required": True}}


@blueprint.post("/simple/cerberus")
def simple() -> Response:
    document = read_document(PAYLOAD)
    return send_response(None, ({"payload": greeting(document["payload"])},))


@blueprint.post("/timed/cerberus")
def timed() -> Response:
    document = read_document(PAYLOAD)
    time.sleep(TIMED_SECONDS)
    return send_response(None, ({"payload": greeting(document["payload"])},))
