from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_GET


@require_GET
def hello_world(request: HttpRequest) -> HttpResponse:
    return HttpResponse("Hello World", content_type="text/plain; charset=utf-8")


def read_part(request: HttpRequest, part: int) -> JsonResponse:
    return JsonResponse({"part": part})


def bad_request(request: HttpRequest, exception: Exception) -> JsonResponse:
    return JsonResponse({"error": str(exception)}, status=400)


def not_found(request: HttpRequest, exception: Exception) -> JsonResponse:
    return JsonResponse({"error": "Not Found"}, status=404)


def server_error(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"error": "Internal Server Error"}, status=500)
