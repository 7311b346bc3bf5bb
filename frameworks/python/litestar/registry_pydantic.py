from litestar import Router, get
from pydantic import BaseModel, Field

from registry import DocumentType, RegistryUnavailable, given_once, select


class Child(BaseModel):
    id: str
    name: str | None = None  # Litestar's plugin of Pydantic leaves None out of the answer
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


async def documents(document_type: int) -> list[Document]:
    return SolrAnswer.model_validate_json(await select(document_type)).response.docs


@get(
    "/json_serialization/pydantic",
    summary="Documents of a type, as they are",
    before_request=given_once,
    raises=[RegistryUnavailable],
)
async def json_serialization(document_type: DocumentType) -> list[Document]:
    return await documents(document_type)


@get("/anonymization/pydantic", summary="Documents with small numbers hidden", raises=[RegistryUnavailable])
async def anonymization() -> list[Document]:
    return [document.anonymized() for document in await documents(1)]


router = Router("/", route_handlers=[json_serialization, anonymization])
