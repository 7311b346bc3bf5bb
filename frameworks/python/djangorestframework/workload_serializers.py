import time

from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from fields import TextField
from shared.work import TIMED_SECONDS, greeting


class PayloadSerializer(serializers.Serializer):
    payload = TextField()


@api_view(["POST"])
def simple(request: Request) -> Response:
    payload = read_payload(request)
    return Response(PayloadSerializer({"payload": greeting(payload)}).data)


@api_view(["POST"])
def timed(request: Request) -> Response:
    payload = read_payload(request)
    time.sleep(TIMED_SECONDS)
    return Response(PayloadSerializer({"payload": greeting(payload)}).data)


def read_payload(request: Request) -> str:
    serializer = PayloadSerializer(data=request.data)
    serializer.is_valid(raise_exception=True)
    return serializer.validated_data["payload"]
