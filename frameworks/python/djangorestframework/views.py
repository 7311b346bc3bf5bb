from rest_framework.decorators import api_view, renderer_classes
from rest_framework.request import Request
from rest_framework.response import Response

from renderers import PlainTextRenderer


@api_view(["GET"])
@renderer_classes([PlainTextRenderer])
def hello_world(request: Request) -> Response:
    return Response("Hello World")


@api_view(["GET"])
def read_part(request: Request, part: int) -> Response:
    return Response({"part": part})


@api_view(["POST"])
def create_part(request: Request, part: int) -> Response:
    return Response({"part": part})


@api_view(["PUT"])
def replace_part(request: Request, part: int) -> Response:
    return Response({"part": part})
