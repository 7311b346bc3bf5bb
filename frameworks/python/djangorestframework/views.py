from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from renderers import PlainTextRenderer


class HelloWorld(APIView):
    renderer_classes = (PlainTextRenderer,)

    def get(self, request: Request) -> Response:
        return Response("Hello World")


class ReadPart(APIView):
    def get(self, request: Request, part: int) -> Response:
        return Response({"part": part})


class CreatePart(APIView):
    def post(self, request: Request, part: int) -> Response:
        return Response({"part": part})


class ReplacePart(APIView):
    def put(self, request: Request, part: int) -> Response:
        return Response({"part": part})
