from collections.abc import AsyncIterator
from typing import Annotated

from aiohttp import web
from aiohttp_pydantic.decorator import inject_params
from aiohttp_pydantic.oas.typing import r200, r400, r503
from pydantic import BaseModel, Field

from shared.solr import SolrUnavailable, solr

routes = web.RouteTableDef()


class Child(BaseModel):
    id: str
    name: str | None = None
    number: int | None = None

    def anonymized(self) -> "Child":
        hidden = self.number is not None and self.number < 100
        return self.model_copy(update={"number": 0}) if hidden else self


# The extension writes OpenAPI 3.0, whose schemas have an example, not the examples of later ones.
class Document(BaseModel):
    id: str = Field(json_schema_extra={"example": "registry-001"})
    document_type: int = Field(json_schema_extra={"example": 1})
    string_array: list[str] | None = Field(None, json_schema_extra={"example": ["Amber Quay", "Łąka Höhe"]})
    int_array: list[int] | None = Field(None, json_schema_extra={"example": [3, 1, 2]})
    child_objects: list[Child] | None = Field(
        None, json_schema_extra={"example": [{"id": "registry-001-0", "name": "Birch Mill", "number": 100}]}
    )

    def anonymized(self) -> "Document":
        children = self.child_objects and [child.anonymized() for child in self.child_objects]
        return self.model_copy(update={"child_objects": children})


class Found(BaseModel):
    docs: list[Document]


class SolrAnswer(BaseModel):
    response: Found


class Mistake(BaseModel):
    """What the extension says of a parameter that does not fit its type."""

    type: str
    loc: list[str]
    msg: str


class Problem(BaseModel):
    detail: str


DocumentType = Annotated[
    int,
    Field(description="The type of the documents to return", ge=0, le=2**31 - 1, json_schema_extra={"example": 1}),
]


async def solr_session(app: web.Application) -> AsyncIterator[None]:
    async with solr:
        yield


async def documents(document_type: int) -> list[Document]:
    try:
        answer = await solr.select(document_type)
    except SolrUnavailable as error:
        problem = Problem(detail="Solr does not answer")
        raise web.HTTPServiceUnavailable(text=problem.model_dump_json(), content_type="application/json") from error
    return SolrAnswer.model_validate_json(answer).response.docs


def json_response(found: list[Document]) -> web.Response:
    return web.json_response([document.model_dump(exclude_none=True) for document in found])


@routes.get("/json_serialization/pydantic")
@inject_params
async def json_serialization(
    document_type: DocumentType,
) -> r200[list[Document]] | r400[list[Mistake]] | r503[Problem]:
    """
    Documents of a type, as they are

    Status Codes:
        200: The documents, in Solr's order
        400: document_type is missing, or is not a number of a type
        503: Solr does not answer
    """
    return json_response(await documents(document_type))


@routes.get("/anonymization/pydantic")
@inject_params
async def anonymization() -> r200[list[Document]] | r503[Problem]:
    """
    Documents with small numbers hidden

    Status Codes:
        200: The documents of type 1, in Solr's order
        503: Solr does not answer
    """
    return json_response([document.anonymized() for document in await documents(1)])
