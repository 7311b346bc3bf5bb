"""The issue tracker's types as marshmallow schemas, which dump typed rows."""

from typing import Any

from marshmallow import EXCLUDE, Schema, fields, post_dump


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
            del issue["assigned"]  # else null would be written
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
    """The fields of a task that a client sends."""

    class Meta:
        unknown = EXCLUDE

    summary = fields.String(required=True)
    description = fields.String(required=True)
    issue_type = fields.String(required=True)
    priority = fields.String(required=True)
    labels = fields.List(fields.String(), required=True)
    components = fields.List(fields.String(), required=True)


class TaskSchema(TaskInSchema):
    id = fields.Integer()
    board = fields.Integer()
    author = fields.Nested(PersonSchema)
    assigned = fields.Nested(PersonSchema)
    project = fields.Nested(ProjectSchema)
    status = fields.Nested(StatusSchema)
    activity = fields.List(fields.Nested(ActivitySchema))
    created_at = fields.DateTime()
