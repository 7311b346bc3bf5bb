from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, status
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field

from shared.solr import solr

router = APIRouter()


class Child(BaseModel):
    id: str
    name: str | None = None
    number: int | None = None

    def anonymized(self) -> "Child":
        hidden = self.number is not None and self.number < 100
        return self.model_copy(update={"number": 0}) if hidden else self


class Document(BaseModel):
    id: str = Field(examples=["registry-001"])
    document_type: int = Field(examples=[1])
    string_array: list[str] | None = Field(None, examples=[["Amber Quay", "Łąka Höhe"]])
    int_array: list[int] | None = Field(None, examples=[[3, 1, 2]])
    child_objects: list[Child] | None = Field(
        None, examples=[[{"id": "registry-001-0", "name": "Birch Mill", "number": 100}]]
    )

    def anonymized(self) -> "Document":
        children = self.child_objects and [child.anonymized() for child in self.child_objects]
        return self.model_copy(update={"child_objects": children})


class Found(BaseModel):
    docs: list[Document]


class SolrAnswer(BaseModel):
    response: Found


class Problem(BaseModel):
    detail: str


async def given_once(request: Request) -> None:
    """FastAPI takes the last of several values: more than one is a mistake here."""
    values = request.query_params.getlist("document_type")
    if len(values) > 1:
        mistake = {
            "type": "repeated",
            "loc": ("query", "document_type"),
            "msg": "Given more than once",
            "input": values,
        }
        raise RequestValidationError([mistake])


DocumentType = Annotated[
    int, Query(description="The type of the documents to return", ge=0, le=2**31 - 1, examples=[1])
]
UNAVAILABLE = {status.HTTP_503_SERVICE_UNAVAILABLE: {"model": Problem, "description": "Solr does not answer"}}


async def documents(document_type: int) -> list[Document]:
    return SolrAnswer.model_validate_json(await solr.select(document_type)).response.docs


@router.get(
    "/json_serialization/pydantic",
    summary="Documents of a type, as they are",
    dependencies=[Depends(given_once)],
    response_model_exclude_none=True,
    responses=UNAVAILABLE,
)
async def json_serialization(document_type: DocumentType) -> list[Document]:
    return await documents(document_type)


@router.get(
    "/anonymization/pydantic",
    summary="Documents with small numbers hidden",
    response_model_exclude_none=True,
    responses=UNAVAILABLE,
)
async def anonymization() -> list[Document]:
    return [document.anonymized() for document in await documents(1)]
