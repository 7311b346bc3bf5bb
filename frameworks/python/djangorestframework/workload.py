import time

from rest_framework import serializers
from rest_framework.decorators import api_view, renderer_classes
from rest_framework.request import Request
from rest_framework.response import Response

from fields import TextField
from renderers import PlainTextRenderer
from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password


class PayloadSerializer(serializers.Serializer):
    payload = TextField()


class MessageSerializer(serializers.Serializer):
    message = TextField()


@api_view(["POST"])
def simple(request: Request) -> Response:
    return Response({"payload": greeting(read_payload(request))})


@api_view(["POST"])
def timed(request: Request) -> Response:
    payload = read_payload(request)
    time.sleep(TIMED_SECONDS)
    return Response({"payload": greeting(payload)})


@api_view(["POST"])
def bcrypt(request: Request) -> Response:
    return Response({"payload": hash_password(read_payload(request))})


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
    serializer = MessageSerializer(data=request.data)
    serializer.is_valid(raise_exception=True)
    time.sleep(PROCESSING_SECONDS)
    return Response({"message": serializer.validated_data["message"], "note": PROCESSING_NOTE})


def read_payload(request: Request) -> str:
    serializer = PayloadSerializer(data=request.data)
    serializer.is_valid(raise_exception=True)
    return serializer.validated_data["payload"]
