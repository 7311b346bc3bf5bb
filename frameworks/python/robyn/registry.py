from typing import Any

from pydantic import MISSING, BaseModel, Field
from robyn import SubRouter
from robyn.exceptions import HTTPException
from robyn.openapi import OpenAPI
from robyn.robyn import QueryParams
from robyn.types import QueryParamValidationError

from responses import http_error
from shared.solr import SolrUnavailable, solr

router = SubRouter()
router.exception(http_error)  # for the routes that follow

LARGEST = 2**31 - 1


class Child(BaseModel):
    id: str
    name: str | MISSING = MISSING
    number: int | MISSING = MISSING

    def anonymized(self) -> "Child":
        hidden = self.number is not MISSING and self.number < 100
        return self.model_copy(update={"number": 0}) if hidden else self


class Document(BaseModel):
    id: str = Field(examples=["registry-001"])
    document_type: int = Field(examples=[1])
    string_array: list[str] | MISSING = Field(MISSING, examples=[["Amber Quay", "Łąka Höhe"]])
    int_array: list[int] | MISSING = Field(MISSING, examples=[[3, 1, 2]])
    child_objects: list[Child] | MISSING = Field(
        MISSING, examples=[[{"id": "registry-001-0", "name": "Birch Mill", "number": 100}]]
    )

    def anonymized(self) -> "Document":
        if self.child_objects is MISSING:
            return self
        return self.model_copy(update={"child_objects": [child.anonymized() for child in self.child_objects]})


class Found(BaseModel):
    docs: list[Document]


class SolrAnswer(BaseModel):
    response: Found


class Problem(BaseModel):
    detail: str


class DocumentQuery(QueryParams):
    """What the OpenAPI document says of the query. Robyn validates what a function takes as document_type."""

    document_type: int


UNAVAILABLE = {"description": "Solr does not answer", "model": Problem}


async def documents(document_type: int) -> list[Document]:
    try:
        content = await solr.select(document_type)
    except SolrUnavailable as error:
        raise HTTPException(503, "Solr does not answer") from error
    return SolrAnswer.model_validate_json(content).response.docs


def check_document_type(query_params: QueryParams, document_type: int) -> None:
    """Robyn takes the last of several values, and any integer."""
    if len(query_params.get_all("document_type")) > 1 or not 0 <= document_type <= LARGEST:
        message = f"document_type is given more than once, or is not between 0 and {LARGEST}"
        raise QueryParamValidationError("document_type", str(document_type), int, message)


@router.get(
    "/json_serialization",
    openapi_name="Documents of a type, as they are",
    responses={400: "document_type is missing, wrong, or given more than once", 503: UNAVAILABLE},
)
async def json_serialization(query_params: DocumentQuery, document_type: int) -> list[Document]:
    check_document_type(query_params, document_type)
    return await documents(document_type)


@router.get("/anonymization", openapi_name="Documents with small numbers hidden", responses={503: UNAVAILABLE})
async def anonymization() -> list[Document]:
    return [document.anonymized() for document in await documents(1)]


class Description(OpenAPI):
    """Robyn's OpenAPI document, made valid and completed."""

    def get_openapi_config(self) -> dict[str, Any]:
        document = super().get_openapi_config()
        # Robyn writes null for what is not given, and puts keys into `info` that OpenAPI does not have there.
        document["info"] = {"title": "restbench", "version": "1.0.0"}
        del document["externalDocs"]
        # Of a parameter, Robyn knows only its name and type.
        (parameter,) = document["paths"]["/json_serialization"]["get"]["parameters"]
        parameter |= {"description": "The type of the documents to return", "required": True, "example": 1}
        return document
