import json
from typing import Any

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_GET, require_http_methods

from shared.blocking_source import TASK_FIELDS, source


@require_GET
def userinfo(request: HttpRequest, user_id: int) -> JsonResponse:
    user = source.user()
    return JsonResponse({**user, "sub": f"{user['sub']}-{user_id}"})


@require_GET
def sprint(request: HttpRequest, sprint_id: int) -> JsonResponse:
    board = source.sprint()
    return JsonResponse({**board, "sprint": {**board["sprint"], "id": sprint_id}})


@require_http_methods(["POST", "PUT"])
def tasks(request: HttpRequest, board_id: int) -> HttpResponse:
    """One view for both methods: Django chooses a view by the path alone."""
    task = read_task(request)
    if request.method == "PUT":
        source.save_task(task)
        return HttpResponse(status=204)
    row = source.task()
    return JsonResponse({**row, "board": board_id, **task}, status=201)


def read_task(request: HttpRequest) -> dict[str, Any]:
    """The fields of a task; whatever else was sent is ignored."""
    try:
        body = json.loads(request.body)
        return {field: body[field] for field in TASK_FIELDS}
    except (ValueError, TypeError, KeyError) as error:
        raise BadRequest("The body is not a task.") from error
