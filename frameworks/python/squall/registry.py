"""apischema parses Solr's answer into dataclasses, and Squall serialises them by it: Undefined is what is left out."""

from dataclasses import dataclass, replace

import orjson
from apischema import Undefined, UndefinedType, deserialization_method, schema
from squall import Num, Query, Request, Router
from squall.exceptions import RequestHeadValidationError

from shared.solr import solr

router = Router()


@dataclass
class Child:
    id: str
    name: str | UndefinedType = Undefined
    number: int | UndefinedType = Undefined

    def anonymized(self) -> "Child":
        hidden = self.number is not Undefined and self.number < 100
        return replace(self, number=0) if hidden else self


# Its examples=[…] would be of OpenAPI 3.1, while Squall's document is 3.0.
@schema(
    extra={
        "example": {
            "id": "registry-001",
            "document_type": 1,
            "string_array": ["Amber Quay", "Łąka Höhe"],
            "int_array": [3, 1, 2],
            "child_objects": [{"id": "registry-001-0", "name": "Birch Mill", "number": 100}],
        }
    }
)
@dataclass
class Document:
    id: str
    document_type: int
    string_array: list[str] | UndefinedType = Undefined
    int_array: list[int] | UndefinedType = Undefined
    child_objects: list[Child] | UndefinedType = Undefined

    def anonymized(self) -> "Document":
        children = self.child_objects and [child.anonymized() for child in self.child_objects]
        return replace(self, child_objects=children)


@dataclass
class Found:
    docs: list[Document]


@dataclass
class SolrAnswer:
    response: Found


@dataclass
class Mistake:
    loc: list[str]
    msg: str


@dataclass
class Mistakes:
    details: list[Mistake]


@dataclass
class Problem:
    detail: str


to_answer = deserialization_method(SolrAnswer, additional_properties=True)

# Squall by itself documents a field that its answer does not have.
MISTAKEN = {400: {"model": Mistakes}}
UNAVAILABLE = {503: {"model": Problem, "description": "Solr does not answer"}}


def check_given_once(request: Request, name: str) -> None:
    """Squall takes the last of several values: more than one is a mistake here."""
    values = request.query_params.getlist(name)
    if len(values) > 1:
        raise RequestHeadValidationError([("query_params", name, "Given more than once", values)])


async def documents(document_type: int) -> list[Document]:
    return to_answer(orjson.loads(await solr.select(document_type))).response.docs


@router.get(
    "/json_serialization/dataclasses",
    summary="Documents of a type, as they are",
    response_model=list[Document],
    responses=MISTAKEN | UNAVAILABLE,
)
async def json_serialization(
    request: Request,
    document_type: int = Query(
        description="The type of the documents to return", valid=Num(ge=0, le=2**31 - 1), example=1
    ),
) -> list[Document]:
    check_given_once(request, "document_type")
    return await documents(document_type)


@router.get(
    "/anonymization/dataclasses",
    summary="Documents with small numbers hidden",
    response_model=list[Document],
    responses=UNAVAILABLE,
)
async def anonymization() -> list[Document]:
    return [document.anonymized() for document in await documents(1)]
