import json
import time

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_GET, require_POST

from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password


@require_POST
def simple(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"payload": greeting(read_text(request, "payload"))})


@require_POST
def timed(request: HttpRequest) -> JsonResponse:
    payload = read_text(request, "payload")
    time.sleep(TIMED_SECONDS)
    return JsonResponse({"payload": greeting(payload)})


@require_POST
def bcrypt(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"payload": hash_password(read_text(request, "payload"))})


@require_GET
def status(request: HttpRequest) -> HttpResponse:
    return HttpResponse("OK", content_type="text/plain; charset=utf-8")


@require_GET
def get_label(request: HttpRequest, label: str) -> HttpResponse:
    return HttpResponse(label, content_type="text/plain; charset=utf-8")


@require_POST
def queue(request: HttpRequest) -> JsonResponse:
    message = read_text(request, "message")
    time.sleep(PROCESSING_SECONDS)
    return JsonResponse({"message": message, "note": PROCESSING_NOTE})


def read_text(request: HttpRequest, key: str) -> str:
    """The text under that key of the body."""
    try:
        text = json.loads(request.body)[key]
    except (ValueError, TypeError, KeyError) as error:
        raise BadRequest(f"The body has no {key}.") from error
    if not isinstance(text, str):
        raise BadRequest(f"{key} is not a text.")
    return text
