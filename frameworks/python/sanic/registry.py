from contextlib import AsyncExitStack

from pydantic import MISSING, BaseModel, Field
from sanic import Blueprint, HTTPResponse, Request, Sanic, json
from sanic_ext import openapi, validate
from sanic_ext.exceptions import ValidationError

from shared.solr import SolrUnavailable, solr

blueprint = Blueprint("registry")
resources = AsyncExitStack()

LARGEST = 2**31 - 1


class Child(BaseModel):
    id: str
    name: str | MISSING = MISSING
    number: int | MISSING = MISSING

    def anonymized(self) -> "Child":
        hidden = self.number is not MISSING and self.number < 100
        return self.model_copy(update={"number": 0}) if hidden else self


class Document(BaseModel):
    id: str
    document_type: int
    string_array: list[str] | MISSING = MISSING
    int_array: list[int] | MISSING = MISSING
    child_objects: list[Child] | MISSING = MISSING

    def anonymized(self) -> "Document":
        if self.child_objects is MISSING:
            return self
        return self.model_copy(update={"child_objects": [child.anonymized() for child in self.child_objects]})


class Found(BaseModel):
    docs: list[Document]


class SolrAnswer(BaseModel):
    response: Found


class Search(BaseModel):
    document_type: int = Field(ge=0, le=LARGEST)


class Problem(BaseModel):
    message: str


EXAMPLE = Document(
    id="registry-001",
    document_type=1,
    string_array=["Amber Quay", "Łąka Höhe"],
    int_array=[3, 1, 2],
    child_objects=[Child(id="registry-001-0", name="Birch Mill", number=100)],
)

succeeds = openapi.response(
    200,
    {
        "application/json": {
            "schema": openapi.Array(openapi.Component(Document)),
            "example": [EXAMPLE.model_dump(mode="json")],
        }
    },
    "The documents, in Solr's order",
)
refuses = openapi.response(400, {"application/json": openapi.Component(Problem)}, "A parameter is not valid")
may_be_unavailable = openapi.response(503, {"application/json": openapi.Component(Problem)}, "Solr does not answer")


@blueprint.before_server_start
async def open_solr(app: Sanic) -> None:
    await resources.enter_async_context(solr)


@blueprint.after_server_stop
async def close_solr(app: Sanic) -> None:
    await resources.aclose()


@blueprint.exception(ValidationError)
async def not_valid(request: Request, error: ValidationError) -> HTTPResponse:
    return json(Problem(message=str(error)).model_dump(mode="json"), status=400)


@blueprint.exception(SolrUnavailable)
async def solr_is_unavailable(request: Request, error: SolrUnavailable) -> HTTPResponse:
    return json(Problem(message="Solr does not answer").model_dump(mode="json"), status=503)


async def documents(document_type: int) -> list[Document]:
    return SolrAnswer.model_validate_json(await solr.select(document_type)).response.docs


@blueprint.get("/json_serialization")
@openapi.summary("Documents of a type, as they are")
@openapi.parameter(
    "document_type",
    openapi.Integer(minimum=0, maximum=LARGEST, example=1),
    required=True,
    description="The type of the documents to return",
)
@succeeds
@refuses
@may_be_unavailable
@validate(query=Search)
async def json_serialization(request: Request, query: Search) -> HTTPResponse:
    return json([document.model_dump(mode="json") for document in await documents(query.document_type)])


@blueprint.get("/anonymization")
@openapi.summary("Documents with small numbers hidden")
@succeeds
@may_be_unavailable
async def anonymization(request: Request) -> HTTPResponse:
    return json([document.anonymized().model_dump(mode="json") for document in await documents(1)])
