import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from flask import request
from flask_restx import Namespace, Resource, fields, inputs, reqparse

from shared.blocking_solr import SolrUnavailable, solr

ns = Namespace("registry", path="/", description="Documents of the registry")


class Text(fields.String):
    """A text, where String would make one of a number."""

    def format(self, value: Any) -> str:
        if not isinstance(value, str):
            raise fields.MarshallingError(f"{value!r} is no text")
        return value


class Whole(fields.Integer):
    """An integer, where Integer would make 1 of 1.5."""

    def format(self, value: Any) -> int:
        if type(value) is not int:
            raise fields.MarshallingError(f"{value!r} is no integer")
        return value


child = ns.model(
    "Child",
    {
        "id": Text(required=True, example="registry-001-0"),
        "name": Text(example="Birch Mill"),
        "number": Whole(example=100),
    },
)
document = ns.model(
    "Document",
    {
        "id": Text(required=True, example="registry-001"),
        "document_type": Whole(required=True, example=1),
        "string_array": fields.List(Text, example=["Amber Quay", "Łąka Höhe"]),
        "int_array": fields.List(Whole, example=[3, 1, 2]),
        "child_objects": fields.List(fields.Nested(child, skip_none=True)),
    },
)
problem = ns.model(
    "Problem",
    {
        "message": fields.String(required=True),
        "errors": fields.Raw(description="What is wrong with each parameter"),
    },
)

query = reqparse.RequestParser()
query.add_argument(
    "document_type",
    type=inputs.int_range(0, 2**31 - 1),
    location="args",
    required=True,
    help="The type of the documents to return",
)


@dataclass(kw_only=True, slots=True)
class Child:
    id: str
    name: str | None = None
    number: int | None = None

    @classmethod
    def from_solr(cls, row: Mapping[str, Any]) -> Self:
        return cls(id=row["id"], name=row.get("name"), number=row.get("number"))

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

    @classmethod
    def from_solr(cls, row: Mapping[str, Any]) -> Self:
        children = row.get("child_objects")
        return cls(
            id=row["id"],
            document_type=row["document_type"],
            string_array=row.get("string_array"),
            int_array=row.get("int_array"),
            child_objects=children and [Child.from_solr(child) for child in children],
        )

    def anonymized(self) -> "Document":
        children = self.child_objects and [child.anonymized() for child in self.child_objects]
        return replace(self, child_objects=children)


def documents(document_type: int) -> list[Document]:
    answer = json.loads(solr.select(document_type))
    return [Document.from_solr(row) for row in answer["response"]["docs"]]


@ns.errorhandler(SolrUnavailable)
def solr_is_unavailable(error: SolrUnavailable) -> tuple[dict[str, str], int]:
    return {"message": "Solr does not answer"}, 503


@ns.route("/json_serialization/marshal")
class JsonSerialization(Resource):
    @ns.expect(query)
    @ns.doc(params={"document_type": {"x-example": 1}})  # Swagger 2.0 has no example of a query parameter
    @ns.marshal_list_with(document, skip_none=True)
    @ns.response(400, "document_type is missing, not an integer of 32 bits, or given more than once", problem)
    @ns.response(503, "Solr does not answer", problem)
    def get(self) -> list[Document]:
        """Documents of a type, as they are"""
        document_type = query.parse_args()["document_type"]
        if len(request.args.getlist("document_type")) > 1:  # of which the parser takes the first
            ns.abort(400, "document_type is given more than once")
        return documents(document_type)


@ns.route("/anonymization/marshal")
class Anonymization(Resource):
    @ns.marshal_list_with(document, skip_none=True)
    @ns.response(503, "Solr does not answer", problem)
    def get(self) -> list[Document]:
        """Documents with small numbers hidden"""
        return [document.anonymized() for document in documents(1)]
