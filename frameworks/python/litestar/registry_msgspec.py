from typing import Annotated

import msgspec
from litestar import Router, get
from msgspec import UNSET, Meta, Struct, UnsetType, structs

from registry import DocumentType, RegistryUnavailable, given_once, select


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


async def documents(document_type: int) -> list[Document]:
    return msgspec.json.decode(await select(document_type), type=SolrAnswer).response.docs


@get(
    "/json_serialization/msgspec",
    summary="Documents of a type, as they are",
    before_request=given_once,
    raises=[RegistryUnavailable],
)
async def json_serialization(document_type: DocumentType) -> list[Document]:
    return await documents(document_type)


@get("/anonymization/msgspec", summary="Documents with small numbers hidden", raises=[RegistryUnavailable])
async def anonymization() -> list[Document]:
    return [document.anonymized() for document in await documents(1)]


router = Router("/", route_handlers=[json_serialization, anonymization])
