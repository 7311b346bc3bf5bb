from typing import Any

from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from fields import TextField
from shared.blocking_source import typed_source
from shared.dataclasses_models import Issue, Task


class AddressSerializer(serializers.Serializer):
    formatted = serializers.CharField()


class UserSerializer(serializers.Serializer):
    sub = serializers.CharField()
    group_ids = serializers.ListField(child=serializers.IntegerField())
    given_name = serializers.CharField()
    name = serializers.CharField()
    email = serializers.CharField()
    phone_number = serializers.CharField()
    address = AddressSerializer()
    picture = serializers.CharField()


class PersonSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    name = serializers.CharField()
    picture = serializers.CharField()


class SprintSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    name = serializers.CharField()
    start = serializers.DateTimeField()
    end = serializers.DateTimeField()


class IssueSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    summary = serializers.CharField()
    description_short = serializers.CharField()
    index = serializers.IntegerField()
    status_id = serializers.IntegerField()
    story_points = serializers.IntegerField()
    assigned = PersonSerializer(required=False)
    modified_at = serializers.DateTimeField()

    def to_representation(self, instance: Issue) -> dict[str, Any]:
        issue = super().to_representation(instance)
        if issue["assigned"] is None:
            del issue["assigned"]  # where null would be written
        return issue


class BoardSerializer(serializers.Serializer):
    """A sprint with its issues."""

    sprint = SprintSerializer()
    issues = IssueSerializer(many=True)


class ProjectSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    key = serializers.CharField()
    name = serializers.CharField()


class StatusSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    name = serializers.CharField()
    category = serializers.CharField()


class ActivitySerializer(serializers.Serializer):
    id = serializers.IntegerField()
    author = PersonSerializer()
    kind = serializers.CharField()
    message = serializers.CharField()
    created_at = serializers.DateTimeField()


class TaskInSerializer(serializers.Serializer):
    """What a client sends of a task."""

    summary = TextField()
    description = TextField()
    issue_type = TextField()
    priority = TextField()
    labels = serializers.ListField(child=TextField())
    components = serializers.ListField(child=TextField())


class TaskSerializer(TaskInSerializer):
    id = serializers.IntegerField()
    board = serializers.IntegerField()
    author = PersonSerializer()
    assigned = PersonSerializer()
    project = ProjectSerializer()
    status = StatusSerializer()
    activity = ActivitySerializer(many=True)
    created_at = serializers.DateTimeField()


class UserInfo(APIView):
    def get(self, request: Request, user_id: int) -> Response:
        user = typed_source.user()
        user.sub = f"{user.sub}-{user_id}"
        return Response(UserSerializer(user).data)


class Sprint(APIView):
    def get(self, request: Request, sprint_id: int) -> Response:
        board = typed_source.sprint()
        board.sprint.id = sprint_id
        return Response(BoardSerializer(board).data)


class Tasks(APIView):
    def post(self, request: Request, board_id: int) -> Response:
        fields = read_task(request)
        task = Task(board=board_id, **vars(typed_source.task()), **fields)
        return Response(TaskSerializer(task).data, status=status.HTTP_201_CREATED)

    def put(self, request: Request, board_id: int) -> Response:
        typed_source.save_task(read_task(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


def read_task(request: Request) -> dict[str, Any]:
    serializer = TaskInSerializer(data=request.data)
    serializer.is_valid(raise_exception=True)
    return serializer.validated_data
