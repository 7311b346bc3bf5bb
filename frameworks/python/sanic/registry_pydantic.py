from pydantic import MISSING, BaseModel, Field
from sanic import Blueprint, HTTPResponse, Request, json
from sanic_ext import openapi, validate

from registry import LARGEST, may_be_unavailable, refuses, succeeds, takes_document_type
from shared.solr import solr

blueprint = Blueprint("registry_pydantic")


# An unset field is MISSING and not None, because Sanic Extensions would write the null of `str | None` into the OpenAPI
# document. It is of version 3.0, which has no type null.
class ChildModel(BaseModel):
    id: str
    name: str | MISSING = MISSING
    number: int | MISSING = MISSING

    def anonymized(self) -> "ChildModel":
        hidden = self.number is not MISSING and self.number < 100
        return self.model_copy(update={"number": 0}) if hidden else self


class DocumentModel(BaseModel):
    id: str
    document_type: int
    string_array: list[str] | MISSING = MISSING
    int_array: list[int] | MISSING = MISSING
    child_objects: list[ChildModel] | MISSING = MISSING

    def anonymized(self) -> "DocumentModel":
        if self.child_objects is MISSING:
            return self
        return self.model_copy(update={"child_objects": [child.anonymized() for child in self.child_objects]})


class Found(BaseModel):
    docs: list[DocumentModel]


class SolrAnswer(BaseModel):
    response: Found


class Search(BaseModel):
    document_type: int = Field(ge=0, le=LARGEST)


async def documents(document_type: int) -> list[DocumentModel]:
    return SolrAnswer.model_validate_json(await solr.select(document_type)).response.docs


@blueprint.get("/json_serialization/pydantic")
@openapi.summary("Documents of a type, as they are")
@takes_document_type
@succeeds(DocumentModel)
@refuses
@may_be_unavailable
@validate(query=Search)
async def json_serialization(request: Request, query: Search) -> HTTPResponse:
    return json([document.model_dump(mode="json") for document in await documents(query.document_type)])


@blueprint.get("/anonymization/pydantic")
@openapi.summary("Documents with small numbers hidden")
@succeeds(DocumentModel)
@may_be_unavailable
async def anonymization(request: Request) -> HTTPResponse:
    return json([document.anonymized().model_dump(mode="json") for document in await documents(1)])
