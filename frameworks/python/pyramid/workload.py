import time

from pyramid.config import Configurator
from pyramid.httpexceptions import HTTPBadRequest
from pyramid.request import Request
from pyramid.response import Response
from pyramid.view import view_config

from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password


def includeme(config: Configurator) -> None:
    config.add_route("queue", "", inherit_slash=True)  # /test, not /test/
    config.add_route("simple", "/simple/raw")
    config.add_route("timed", "/timed/raw")
    config.add_route("bcrypt", "/bcrypt")
    config.add_route("status", "/status")
    config.add_route("label", "/labels/{label}")
    config.scan(__name__)


@view_config(route_name="simple", request_method="POST", renderer="json")
def simple(request: Request) -> dict[str, str]:
    return {"payload": greeting(read_text(request, "payload"))}


@view_config(route_name="timed", request_method="POST", renderer="json")
def timed(request: Request) -> dict[str, str]:
    payload = read_text(request, "payload")
    time.sleep(TIMED_SECONDS)
    return {"payload": greeting(payload)}


@view_config(route_name="bcrypt", request_method="POST", renderer="json")
def bcrypt(request: Request) -> dict[str, str]:
    return {"payload": hash_password(read_text(request, "payload"))}


@view_config(route_name="status", request_method="GET")
def status(request: Request) -> Response:
    return Response("OK", content_type="text/plain", charset="utf-8")


@view_config(route_name="label", request_method="GET")
def get_label(request: Request) -> Response:
    return Response(request.matchdict["label"], content_type="text/plain", charset="utf-8")


@view_config(route_name="queue", request_method="POST", renderer="json")
def queue(request: Request) -> dict[str, str]:
    message = read_text(request, "message")
    time.sleep(PROCESSING_SECONDS)
    return {"message": message, "note": PROCESSING_NOTE}


def read_text(request: Request, key: str) -> str:
    """The text under that key of the body."""
    try:
        text = request.json_body[key]
    except (ValueError, TypeError, LookupError) as error:  # an unknown charset is a LookupError
        raise HTTPBadRequest(f"The body has no {key}.") from error
    if not isinstance(text, str):
        raise HTTPBadRequest(f"{key} is not a text.")
    return text
