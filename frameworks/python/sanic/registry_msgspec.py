from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, structs
from sanic import Blueprint, HTTPResponse, Request, json
from sanic_ext import openapi, validate

from registry import LARGEST, may_be_unavailable, refuses, succeeds, takes_document_type
from shared.solr import solr

blueprint = Blueprint("registry_msgspec")


class ChildStruct(Struct):
    id: str
    name: str | UnsetType = UNSET
    number: int | UnsetType = UNSET

    def anonymized(self) -> "ChildStruct":
        hidden = self.number is not UNSET and self.number < 100
        return structs.replace(self, number=0) if hidden else self


class DocumentStruct(Struct):
    id: str
    document_type: int
    string_array: list[str] | UnsetType = UNSET
    int_array: list[int] | UnsetType = UNSET
    child_objects: list[ChildStruct] | UnsetType = UNSET

    def anonymized(self) -> "DocumentStruct":
        if self.child_objects is UNSET:
            return self
        return structs.replace(self, child_objects=[child.anonymized() for child in self.child_objects])


class Found(Struct):
    docs: list[DocumentStruct]


class SolrAnswer(Struct):
    response: Found


class Search(Struct):
    document_type: Annotated[int, Meta(ge=0, le=LARGEST)]


async def documents(document_type: int) -> list[DocumentStruct]:
    return msgspec.json.decode(await solr.select(document_type), type=SolrAnswer).response.docs


@blueprint.get("/json_serialization/msgspec")
@openapi.summary("Documents of a type, as they are")
@takes_document_type
@succeeds(DocumentStruct)
@refuses
@may_be_unavailable
@validate(query=Search)
async def json_serialization(request: Request, query: Search) -> HTTPResponse:
    return json(await documents(query.document_type), dumps=msgspec.json.encode)


@blueprint.get("/anonymization/msgspec")
@openapi.summary("Documents with small numbers hidden")
@succeeds(DocumentStruct)
@may_be_unavailable
async def anonymization(request: Request) -> HTTPResponse:
    return json([document.anonymized() for document in await documents(1)], dumps=msgspec.json.encode)
