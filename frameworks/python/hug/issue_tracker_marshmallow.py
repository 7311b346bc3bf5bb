from typing import Any

import falcon
import hug
from marshmallow import EXCLUDE, Schema, fields, post_dump, post_load

from shared.blocking_source import source
from shared.dataclasses_models import Board, Task, TaskIn, User


class AddressSchema(Schema):
    formatted = fields.String()


class UserSchema(Schema):
    sub = fields.String()
    group_ids = fields.List(fields.Integer())
    given_name = fields.String()
    name = fields.String()
    email = fields.String()
    phone_number = fields.String()
    address = fields.Nested(AddressSchema)
    picture = fields.String()


class PersonSchema(Schema):
    id = fields.Integer()
    name = fields.String()
    picture = fields.String()


class SprintSchema(Schema):
    id = fields.Integer()
    name = fields.String()
    start = fields.DateTime()
    end = fields.DateTime()


class IssueSchema(Schema):
    id = fields.Integer()
    summary = fields.String()
    description_short = fields.String()
    index = fields.Integer()
    status_id = fields.Integer()
    story_points = fields.Integer()
    assigned = fields.Nested(PersonSchema)
    modified_at = fields.DateTime()

    @post_dump
    def leave_out_nobody(self, issue: dict[str, Any], **options: Any) -> dict[str, Any]:
        if issue["assigned"] is None:
            del issue["assigned"]  # where null would be written
        return issue


class BoardSchema(Schema):
    """A sprint with its issues."""

    sprint = fields.Nested(SprintSchema)
    issues = fields.List(fields.Nested(IssueSchema))


class ProjectSchema(Schema):
    id = fields.Integer()
    key = fields.String()
    name = fields.String()


class StatusSchema(Schema):
    id = fields.Integer()
    name = fields.String()
    category = fields.String()


class ActivitySchema(Schema):
    id = fields.Integer()
    author = fields.Nested(PersonSchema)
    kind = fields.String()
    message = fields.String()
    created_at = fields.DateTime()


class TaskInSchema(Schema):
    """What a client sends of a task."""

    class Meta:
        unknown = EXCLUDE

    summary = fields.String(required=True)
    description = fields.String(required=True)
    issue_type = fields.String(required=True)
    priority = fields.String(required=True)
    labels = fields.List(fields.String(), required=True)
    components = fields.List(fields.String(), required=True)

    @post_load
    def to_task(self, values: dict[str, Any], **options: Any) -> TaskIn:
        return TaskIn(**values)


class TaskSchema(TaskInSchema):
    id = fields.Integer()
    board = fields.Integer()
    author = fields.Nested(PersonSchema)
    assigned = fields.Nested(PersonSchema)
    project = fields.Nested(ProjectSchema)
    status = fields.Nested(StatusSchema)
    activity = fields.List(fields.Nested(ActivitySchema))
    created_at = fields.DateTime()


# hug would transform the errors of an invalid request as it does answers, were it not for on_invalid=False.


@hug.get("/userinfo/marshmallow/{user_id}", transform=UserSchema(), on_invalid=False)
def userinfo(user_id: hug.types.number) -> User:
    return User.from_row(source.user(), user_id)


@hug.get("/sprint/marshmallow/{sprint_id}", transform=BoardSchema(), on_invalid=False)
def sprint(sprint_id: hug.types.number) -> Board:
    return Board.from_row(source.sprint(), sprint_id)


@hug.post("/board/marshmallow/{board_id}/task", status=falcon.HTTP_CREATED, transform=TaskSchema(), on_invalid=False)
def create_task(board_id: hug.types.number, body: TaskInSchema()) -> Task:
    return Task.from_row(source.task(), board_id, body)


@hug.put("/board/marshmallow/{board_id}/task", status=falcon.HTTP_NO_CONTENT)
def update_task(board_id: hug.types.number, body: TaskInSchema()) -> None:
    source.save_task(body)
