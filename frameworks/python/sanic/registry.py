"""What the OpenAPI document says of every variant."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sanic_ext import openapi

LARGEST = 2**31 - 1

EXAMPLE = {
    "id": "registry-001",
    "document_type": 1,
    "string_array": ["Amber Quay", "Łąka Höhe"],
    "int_array": [3, 1, 2],
    "child_objects": [{"id": "registry-001-0", "name": "Birch Mill", "number": 100}],
}


@dataclass
class Problem:
    message: str


takes_document_type = openapi.parameter(
    "document_type",
    openapi.Integer(minimum=0, maximum=LARGEST, example=1),
    required=True,
    description="The type of the documents to return",
)
refuses = openapi.response(400, {"application/json": openapi.Component(Problem)}, "A parameter is not valid")
may_be_unavailable = openapi.response(503, {"application/json": openapi.Component(Problem)}, "Solr does not answer")


def succeeds(document: type) -> Callable[[Any], Any]:
    """A component has the name of its class, so each variant's classes have names of their own."""
    schema = openapi.Array(openapi.Component(document))
    content = {"application/json": {"schema": schema, "example": [EXAMPLE]}}
    return openapi.response(200, content, "The documents, in Solr's order")
