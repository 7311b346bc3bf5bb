from typing import Any

from rest_framework import status
from rest_framework.exceptions import ParseError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from shared.blocking_source import TASK_FIELDS, source


class UserInfo(APIView):
    def get(self, request: Request, user_id: int) -> Response:
        user = source.user()
        return Response({**user, "sub": f"{user['sub']}-{user_id}"})


class Sprint(APIView):
    def get(self, request: Request, sprint_id: int) -> Response:
        board = source.sprint()
        return Response({**board, "sprint": {**board["sprint"], "id": sprint_id}})


class Tasks(APIView):
    def post(self, request: Request, board_id: int) -> Response:
        task = read_task(request)
        row = source.task()
        return Response({**row, "board": board_id, **task}, status=status.HTTP_201_CREATED)

    def put(self, request: Request, board_id: int) -> Response:
        source.save_task(read_task(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


def read_task(request: Request) -> dict[str, Any]:
    """The fields of a task; whatever else was sent is ignored."""
    body = request.data
    try:
        return {field: body[field] for field in TASK_FIELDS}
    except (TypeError, KeyError) as error:
        raise ParseError("The body is not a task.") from error
