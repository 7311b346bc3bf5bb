from typing import Annotated

import msgspec
from litestar import Request, Router, get
from litestar.exceptions import ServiceUnavailableException, ValidationException
from litestar.openapi.spec import Example
from litestar.params import QueryParameter
from msgspec import UNSET, Meta, Struct, UnsetType, structs

from shared.solr import SolrUnavailable, solr


class Child(Struct):
    id: str
    name: str | UnsetType = UNSET  # what is unset is left out of the answer
    number: int | UnsetType = UNSET

    def anonymized(self) -> "Child":
        hidden = self.number is not UNSET and self.number < 100
        return structs.replace(self, number=0) if hidden else self


class Document(Struct):
    id: Annotated[str, Meta(examples=["registry-001"])]
    document_type: Annotated[int, Meta(examples=[1])]
    string_array: Annotated[list[str], Meta(examples=[["Amber Quay", "Łąka Höhe"]])] | UnsetType = UNSET
    int_array: Annotated[list[int], Meta(examples=[[3, 1, 2]])] | UnsetType = UNSET
    child_objects: (
        Annotated[list[Child], Meta(examples=[[{"id": "registry-001-0", "name": "Birch Mill", "number": 100}]])]
        | UnsetType
    ) = UNSET

    def anonymized(self) -> "Document":
        if self.child_objects is UNSET:
            return self
        return structs.replace(self, child_objects=[child.anonymized() for child in self.child_objects])


class Found(Struct):
    docs: list[Document]


class SolrAnswer(Struct):
    response: Found


class RegistryUnavailable(ServiceUnavailableException):
    detail = "Solr does not answer"


async def given_once(request: Request) -> None:
    """Litestar takes the last of several values: more than one is a mistake here."""
    if len(request.query_params.getall("document_type", [])) > 1:
        raise ValidationException("document_type is given more than once")


DocumentType = Annotated[
    int,
    QueryParameter(description="The type of the documents to return", ge=0, le=2**31 - 1, examples=[Example(value=1)]),
]


async def documents(document_type: int) -> list[Document]:
    try:
        found = await solr.select(document_type)
    except SolrUnavailable as error:
        raise RegistryUnavailable from error
    return msgspec.json.decode(found, type=SolrAnswer).response.docs


@get(
    "/json_serialization",
    summary="Documents of a type, as they are",
    before_request=given_once,
    raises=[RegistryUnavailable],
)
async def json_serialization(document_type: DocumentType) -> list[Document]:
    return await documents(document_type)


@get("/anonymization", summary="Documents with small numbers hidden", raises=[RegistryUnavailable])
async def anonymization() -> list[Document]:
    return [document.anonymized() for document in await documents(1)]


router = Router("/", route_handlers=[json_serialization, anonymization])
