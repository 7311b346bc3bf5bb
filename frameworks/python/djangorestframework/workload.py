import time

from rest_framework.exceptions import ParseError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from renderers import PlainTextRenderer
from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password


class Simple(APIView):
    def post(self, request: Request) -> Response:
        return Response({"payload": greeting(read_text(request, "payload"))})


class Timed(APIView):
    def post(self, request: Request) -> Response:
        payload = read_text(request, "payload")
        time.sleep(TIMED_SECONDS)
        return Response({"payload": greeting(payload)})


class Bcrypt(APIView):
    def post(self, request: Request) -> Response:
        return Response({"payload": hash_password(read_text(request, "payload"))})


class Status(APIView):
    renderer_classes = (PlainTextRenderer,)

    def get(self, request: Request) -> Response:
        return Response("OK")


class Label(APIView):
    renderer_classes = (PlainTextRenderer,)

    def get(self, request: Request, label: str) -> Response:
        return Response(label)


class Queue(APIView):
    def post(self, request: Request) -> Response:
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
