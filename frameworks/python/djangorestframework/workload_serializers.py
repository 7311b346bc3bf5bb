import time

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from fields import TextField
from shared.work import TIMED_SECONDS, greeting


class PayloadSerializer(serializers.Serializer):
    payload = TextField()


class Simple(APIView):
    def post(self, request: Request) -> Response:
        payload = read_payload(request)
        return Response(PayloadSerializer({"payload": greeting(payload)}).data)


class Timed(APIView):
    def post(self, request: Request) -> Response:
        payload = read_payload(request)
        time.sleep(TIMED_SECONDS)
        return Response(PayloadSerializer({"payload": greeting(payload)}).data)


def read_payload(request: Request) -> str:
    serializer = PayloadSerializer(data=request.data)
    serializer.is_valid(raise_exception=True)
    return serializer.validated_data["payload"]
