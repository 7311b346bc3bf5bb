from typing import Any

from flask_restx import Namespace, Resource, fields

from shared.blocking_source import typed_source
from shared.dataclasses_models import Board, User

ns = Namespace("marshal", path="/api/v1")

address = ns.model("Address", {"formatted": fields.String})
user = ns.model(
    "User",
    {
        "sub": fields.String,
        "group_ids": fields.List(fields.Integer),
        "given_name": fields.String,
        "name": fields.String,
        "email": fields.String,
        "phone_number": fields.String,
        "address": fields.Nested(address),
        "picture": fields.String,
    },
)
person = ns.model("Person", {"id": fields.Integer, "name": fields.String, "picture": fields.String})
sprint = ns.model(
    "Sprint", {"id": fields.Integer, "name": fields.String, "start": fields.DateTime, "end": fields.DateTime}
)
issue = ns.model(
    "Issue",
    {
        "id": fields.Integer,
        "summary": fields.String,
        "description_short": fields.String,
        "index": fields.Integer,
        "status_id": fields.Integer,
        "story_points": fields.Integer,
        "assigned": fields.Nested(person, allow_null=True),  # and left out by skip_none below
        "modified_at": fields.DateTime,
    },
)
board = ns.model(
    "Board", {"sprint": fields.Nested(sprint), "issues": fields.List(fields.Nested(issue, skip_none=True))}
)
project = ns.model("Project", {"id": fields.Integer, "key": fields.String, "name": fields.String})
status = ns.model("Status", {"id": fields.Integer, "name": fields.String, "category": fields.String})
activity = ns.model(
    "Activity",
    {
        "id": fields.Integer,
        "author": fields.Nested(person),
        "kind": fields.String,
        "message": fields.String,
        "created_at": fields.DateTime,
    },
)
task_in = ns.model(
    "TaskIn",
    {
        "summary": fields.String(required=True),
        "description": fields.String(required=True),
        "issue_type": fields.String(required=True),
        "priority": fields.String(required=True),
        "labels": fields.List(fields.String, required=True),
        "components": fields.List(fields.String, required=True),
    },
)
task = ns.clone(
    "Task",
    task_in,
    {
        "id": fields.Integer,
        "board": fields.Integer,
        "author": fields.Nested(person),
        "assigned": fields.Nested(person),
        "project": fields.Nested(project),
        "status": fields.Nested(status),
        "activity": fields.List(fields.Nested(activity)),
        "created_at": fields.DateTime,
    },
)


@ns.route("/userinfo/marshal/<int:user_id>")
class UserInfo(Resource):
    @ns.marshal_with(user)
    def get(self, user_id: int) -> User:
        row = typed_source.user()
        row.sub = f"{row.sub}-{user_id}"
        return row


@ns.route("/sprint/marshal/<int:sprint_id>")
class Sprint(Resource):
    @ns.marshal_with(board)
    def get(self, sprint_id: int) -> Board:
        row = typed_source.sprint()
        row.sprint.id = sprint_id
        return row


@ns.route("/board/marshal/<int:board_id>/task")
class Tasks(Resource):
    @ns.expect(task_in, validate=True)
    @ns.marshal_with(task, code=201)
    def post(self, board_id: int) -> tuple[dict[str, Any], int]:
        # The tracker's own fields come last: a client that sends more than a task does not set them.
        return {**ns.payload, **vars(typed_source.task()), "board": board_id}, 201

    @ns.expect(task_in, validate=True)
    @ns.response(204, "The task is updated.")
    def put(self, board_id: int) -> tuple[str, int]:
        typed_source.save_task(ns.payload)
        return "", 204
