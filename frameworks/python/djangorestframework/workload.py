import time

from rest_framework.decorators import api_view, renderer_classes
from rest_framework.exceptions import ParseError
from rest_framework.request import Request
from rest_framework.response import Response

from renderers import PlainTextRenderer
from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password


@api_view(["POST"])
def simple(request: Request) -> Response:
    return Response({"payload": greeting(read_text(request, "payload"))})


@api_view(["POST"])
def timed(request: Request) -> Response:
    payload = read_text(request, "payload")
    time.sleep(TIMED_SECONDS)
    return Response({"payload": greeting(payload)})


@api_view(["POST"])
def bcrypt(request: Request) -> Response:
    return Response({"payload": hash_password(read_text(request, "payload"))})


@api_view(["GET"])
@renderer_classes([PlainTextRenderer])
def status(request: Request) -> Response:
    return Response("OK")


@api_view(["GET"])
@renderer_classes([PlainTextRenderer])
def get_label(request: Request, label: str) -> Response:
    return Response(label)


@api_view(["POST"])
def queue(request: Request) -> Response:
    message = read_text(request, "message")
    time.sleep(PROCESSING_SECONDS)
    return Response({"message": message, "note": PROCESSING_NOTE})


def read_text(request: Request, key: str) -> str:
    """The text under that key of the body."""
    body = request.data
    text = body.get(key) if isinstance(body, dict) else None
    if not isinstance(text, str):
        raise ParseError(f"The body has no {key}.")
    return text
