"""Resources of Eve, declared by schemas in Cerberus' terms, over a data layer of its own.

Eve validates by them what is sent, and chooses the fields of an answer. It would replace an item at
`<resource>/<item>` and answer 200, where the contract has 204 at a path without an item: that route is written out.
"""

from dataclasses import asdict
from operator import getitem
from typing import Any

from eve import Eve
from eve.io.base import DataLayer
from eve.methods.common import payload
from eve.render import send_response
from eve.utils import ParsedRequest
from eve.validation import Validator as EveValidator
from flask import abort, current_app

from shared.blocking_source import DataSource
from shared.dataclasses_models import Board, TaskRow, User
from shared.fixtures import read
from shared.rows import Rows

Schema = dict[str, Any]
Document = dict[str, Any]

TASKS_URL = "board/cerberus/<int:board>/task"

USER: Schema = {
    "sub": {"type": "string"},
    "group_ids": {"type": "list", "schema": {"type": "integer"}},
    "given_name": {"type": "string"},
    "name": {"type": "string"},
    "email": {"type": "string"},
    "phone_number": {"type": "string"},
    "address": {"type": "dict", "schema": {"formatted": {"type": "string"}}},
    "picture": {"type": "string"},
}
PERSON: Schema = {"id": {"type": "integer"}, "name": {"type": "string"}, "picture": {"type": "string"}}
SPRINT: Schema = {
    "id": {"type": "integer"},
    "name": {"type": "string"},
    "start": {"type": "datetime"},
    "end": {"type": "datetime"},
}
ISSUE: Schema = {
    "id": {"type": "integer"},
    "summary": {"type": "string"},
    "description_short": {"type": "string"},
    "index": {"type": "integer"},
    "status_id": {"type": "integer"},
    "story_points": {"type": "integer"},
    "assigned": {"type": "dict", "schema": PERSON},
    "modified_at": {"type": "datetime"},
}
BOARD: Schema = {
    "sprint": {"type": "dict", "schema": SPRINT},
    "issues": {"type": "list", "schema": {"type": "dict", "schema": ISSUE}},
}
PROJECT: Schema = {"id": {"type": "integer"}, "key": {"type": "string"}, "name": {"type": "string"}}
STATUS: Schema = {"id": {"type": "integer"}, "name": {"type": "string"}, "category": {"type": "string"}}
ACTIVITY: Schema = {
    "id": {"type": "integer"},
    "author": {"type": "dict", "schema": PERSON},
    "kind": {"type": "string"},
    "message": {"type": "string"},
    "created_at": {"type": "datetime"},
}
TASK: Schema = {
    "summary": {"type": "string", "required": True},
    "description": {"type": "string", "required": True},
    "issue_type": {"type": "string", "required": True},
    "priority": {"type": "string", "required": True},
    "labels": {"type": "list", "schema": {"type": "string"}, "required": True},
    "components": {"type": "list", "schema": {"type": "string"}, "required": True},
    "board": {"type": "integer"},  # Eve takes it from the path
    "id": {"type": "integer", "readonly": True},
    "author": {"type": "dict", "schema": PERSON, "readonly": True},
    "assigned": {"type": "dict", "schema": PERSON, "readonly": True},
    "project": {"type": "dict", "schema": PROJECT, "readonly": True},
    "status": {"type": "dict", "schema": STATUS, "readonly": True},
    "activity": {"type": "list", "schema": {"type": "dict", "schema": ACTIVITY}, "readonly": True},
    "created_at": {"type": "datetime", "readonly": True},
}


class Validator(EveValidator):
    """Ignores the fields that are no client's to set, where Eve's own refuses them."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{"purge_unknown": True, "purge_readonly": True, **options})


def documents(file: str, row_type: type) -> list[Document]:
    """The typed rows of a file as mappings, which Eve answers with. They have no field where a value is missing."""

    def document(fields: list[tuple[str, Any]]) -> Document:
        return {name: value for name, value in fields if value is not None}

    return [asdict(row, dict_factory=document) for row in read(file, row_type)]


source = DataSource(
    Rows(
        documents("users.json", User),
        documents("sprints.json", Board),
        documents("tasks.json", TaskRow),
        get=getitem,
        copy=dict,
    )
)


class Tracker(DataLayer):
    """The data source, as Eve asks for it."""

    def init_app(self, app: Eve) -> None:
        pass

    def find_one(self, resource: str, req: ParsedRequest, *args: Any, **lookup: int) -> Document:
        if resource == "userinfo":
            user = source.user()
            user["sub"] = f"{user['sub']}-{lookup['id']}"
            return user
        board = source.sprint()
        board["sprint"]["id"] = lookup["id"]
        return board

    def insert(self, resource: str, doc_or_docs: list[Document]) -> list[int]:
        for document in doc_or_docs:
            document.update(source.task())
        return [document["id"] for document in doc_or_docs]

    def replace(self, resource: str, id_: int, document: Document, original: Document) -> None:
        source.save_task(document)


def read_object() -> Document:
    """The body, which Eve itself takes for documents to insert together where it is no object."""
    body = payload()
    if not isinstance(body, dict):
        abort(400, "The body is not an object.")
    return body


def read_document(schema: Schema, resource: str | None = None) -> Document:
    """The body, validated by that schema. Where it does not fit, the answer is the one that Eve gives."""
    validator = current_app.validator(schema, resource=resource)
    if not validator.validate(read_object()):
        abort(send_response(resource, ({"_status": "ERR", "_issues": validator.errors}, None, None, 422)))
    return validator.document


def update_task(board: int) -> tuple[str, int]:
    current_app.data.replace("task", board, read_document(TASK, "task"), None)
    return "", 204


def leave_out_metadata(resource: str, documents: Document | list[Document]) -> None:
    """What Eve adds to a document that it read, or inserted and answers with."""
    for document in documents if isinstance(documents, list) else [documents]:
        for field in ("_created", "_updated", "_status"):
            document.pop(field, None)


def register(app: Eve) -> None:
    app.register_resource("userinfo", {"url": "userinfo/cerberus", "resource_methods": [], "schema": USER})
    app.register_resource("sprint", {"url": "sprint/cerberus", "resource_methods": [], "schema": BOARD})
    app.register_resource(
        "task",
        {"url": TASKS_URL, "resource_methods": ["POST"], "item_lookup": False, "schema": TASK},
    )
    app.add_url_rule(f"{app.api_prefix}/{TASKS_URL}", view_func=update_task, methods=["PUT"])
    app.on_pre_POST_task += lambda request: read_object()
    app.on_fetched_item += leave_out_metadata
    app.on_inserted += leave_out_metadata
