from dataclasses import dataclass, replace
from typing import Any

from flask.views import MethodView
from flask_smorest import Blueprint, abort
from marshmallow import EXCLUDE, Schema, ValidationError, fields, post_dump, post_load, pre_load
from marshmallow.validate import Range
from webargs.multidictproxy import MultiDictProxy

from shared.blocking_solr import SolrUnavailable, solr

blp = Blueprint("registry", __name__, description="Documents of the registry")


@dataclass(kw_only=True, slots=True)
class Child:
    id: str
    name: str | None = None
    number: int | None = None

    def anonymized(self) -> "Child":
        hidden = self.number is not None and self.number < 100
        return replace(self, number=0) if hidden else self


@dataclass(kw_only=True, slots=True)
class Document:
    id: str
    document_type: int
    string_array: list[str] | None = None
    int_array: list[int] | None = None
    child_objects: list[Child] | None = None

    def anonymized(self) -> "Document":
        children = self.child_objects and [child.anonymized() for child in self.child_objects]
        return replace(self, child_objects=children)


class RegistrySchema(Schema):
    class Meta:
        unknown = EXCLUDE

    @post_dump
    def leave_out_missing(self, values: dict[str, Any], **options: Any) -> dict[str, Any]:
        return {name: value for name, value in values.items() if value is not None}


# Integers are strict, because marshmallow would make 1 of 1.5 by default.
class ChildSchema(RegistrySchema):
    id = fields.String(required=True, metadata={"example": "registry-001-0"})
    name = fields.String(metadata={"example": "Birch Mill"})
    number = fields.Integer(strict=True, metadata={"example": 100})

    @post_load
    def to_child(self, values: dict[str, Any], **options: Any) -> Child:
        return Child(**values)


class DocumentSchema(RegistrySchema):
    id = fields.String(required=True, metadata={"example": "registry-001"})
    document_type = fields.Integer(strict=True, required=True, metadata={"example": 1})
    string_array = fields.List(fields.String(), metadata={"example": ["Amber Quay", "Łąka Höhe"]})
    int_array = fields.List(fields.Integer(strict=True), metadata={"example": [3, 1, 2]})
    child_objects = fields.List(fields.Nested(ChildSchema))

    @post_load
    def to_document(self, values: dict[str, Any], **options: Any) -> Document:
        return Document(**values)


class FoundSchema(RegistrySchema):
    docs = fields.List(fields.Nested(DocumentSchema), required=True)


class SolrAnswerSchema(RegistrySchema):
    response = fields.Nested(FoundSchema, required=True)


solr_answer = SolrAnswerSchema()


class QuerySchema(Schema):
    document_type = fields.Integer(
        required=True,
        validate=Range(min=0, max=2**31 - 1),
        metadata={"description": "The type of the documents to return", "example": 1},
    )

    @pre_load
    def given_once(self, query: MultiDictProxy, **options: Any) -> MultiDictProxy:
        """webargs takes the first of several values: more than one is a mistake here."""
        if len(query.getlist("document_type")) > 1:
            raise ValidationError("Given more than once.", "document_type")
        return query


def documents(document_type: int) -> list[Document]:
    try:
        answer = solr.select(document_type)
    except SolrUnavailable:
        abort(503, message="Solr does not answer")
    return solr_answer.loads(answer)["response"]["docs"]


@blp.route("/json_serialization/marshmallow")
class JsonSerialization(MethodView):
    @blp.arguments(QuerySchema, location="query")
    @blp.response(200, DocumentSchema(many=True))
    @blp.alt_response(503, "SERVICE_UNAVAILABLE")
    def get(self, query: dict[str, int]) -> list[Document]:
        """Documents of a type, as they are"""
        return documents(query["document_type"])


@blp.route("/anonymization/marshmallow")
class Anonymization(MethodView):
    @blp.response(200, DocumentSchema(many=True))
    @blp.alt_response(503, "SERVICE_UNAVAILABLE")
    def get(self) -> list[Document]:
        """Documents with small numbers hidden"""
        return [document.anonymized() for document in documents(1)]
