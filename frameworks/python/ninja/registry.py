"""Ninja validates Solr's documents by the schema of the response, and answers 500 if they do not fit."""

import json
from typing import Any

from django.http import HttpRequest
from ninja import Field, Query, Router, Schema
from ninja.errors import ValidationError

from shared.solr import solr

router = Router()


class Child(Schema):
    id: str
    name: str | None = None
    number: int | None = None


class Document(Schema):
    id: str = Field(examples=["registry-001"])
    document_type: int = Field(examples=[1])
    string_array: list[str] | None = Field(None, examples=[["Amber Quay", "Łąka Höhe"]])
    int_array: list[int] | None = Field(None, examples=[[3, 1, 2]])
    child_objects: list[Child] | None = Field(
        None, examples=[[{"id": "registry-001-0", "name": "Birch Mill", "number": 100}]]
    )


class AnonymousChild(Child):
    @staticmethod
    def resolve_number(child: dict[str, Any]) -> int | None:
        """Ninja takes the field from here."""
        number = child.get("number")
        return 0 if number is not None and number < 100 else number


class AnonymousDocument(Document):
    child_objects: list[AnonymousChild] | None = Field(
        None, examples=[[{"id": "registry-001-0", "name": "Birch Mill", "number": 0}]]
    )


class Mistake(Schema):
    type: str
    loc: list[str | int]
    msg: str


class InvalidQuery(Schema):
    detail: list[Mistake]


class Problem(Schema):
    detail: str


async def documents(document_type: int) -> list[dict[str, Any]]:
    return json.loads(await solr.select(document_type))["response"]["docs"]


def check_given_once(request: HttpRequest) -> None:
    """Ninja takes the last of several values: more than one is a mistake here."""
    if len(request.GET.getlist("document_type")) > 1:
        raise ValidationError([{"type": "repeated", "loc": ["query", "document_type"], "msg": "Given more than once"}])


@router.get(
    "/json_serialization/pydantic",
    response={200: list[Document], 422: InvalidQuery, 503: Problem},
    exclude_none=True,
    summary="Documents of a type, as they are",
)
async def json_serialization(
    request: HttpRequest,
    document_type: int = Query(..., description="The type of the documents to return", ge=0, le=2**31 - 1, example=1),
) -> list[dict[str, Any]]:
    check_given_once(request)
    return await documents(document_type)


@router.get(
    "/anonymization/pydantic",
    response={200: list[AnonymousDocument], 503: Problem},
    exclude_none=True,
    summary="Documents with small numbers hidden",
)
async def anonymization(request: HttpRequest) -> list[dict[str, Any]]:
    return await documents(1)
