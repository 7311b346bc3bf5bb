from blacksheep import FromQuery, Request, Response, json
from blacksheep.exceptions import BadRequest, InternalServerError
from blacksheep.server.bindings import QueryBinder
from blacksheep.server.openapi.common import ContentInfo, ParameterInfo, ResponseExample, ResponseInfo
from blacksheep.server.openapi.v3 import OpenAPIHandler
from openapidocs.v3 import Info, Operation
from pydantic import BaseModel, ValidationError

from shared.solr import solr

docs = OpenAPIHandler(info=Info(title="restbench", version="1.0.0"))
# Other paths are left out: one function serves several of them, so that its name is not unique as an operationId.
docs.include = lambda path, _: path in ("/json_serialization/pydantic", "/anonymization/pydantic")

LARGEST_TYPE = 2**31 - 1


class Child(BaseModel):
    id: str
    name: str | None = None
    number: int | None = None

    def anonymized(self) -> "Child":
        hidden = self.number is not None and self.number < 100
        return self.model_copy(update={"number": 0}) if hidden else self


class Document(BaseModel):
    id: str
    document_type: int
    string_array: list[str] | None = None
    int_array: list[int] | None = None
    child_objects: list[Child] | None = None

    def anonymized(self) -> "Document":
        children = self.child_objects and [child.anonymized() for child in self.child_objects]
        return self.model_copy(update={"child_objects": children})


class Found(BaseModel):
    docs: list[Document]


class SolrAnswer(BaseModel):
    response: Found


class Problem(BaseModel):
    detail: str


class FromDocumentType(FromQuery[int]):
    """The type of documents, given once and within its bounds."""

    name = "document_type"


class DocumentTypeBinder(QueryBinder):
    """BlackSheep's own binder takes the first of several values, and knows no bounds."""

    handle = FromDocumentType

    async def get_value(self, request: Request) -> int:
        if len(self.get_raw_value(request)) > 1:
            raise BadRequest("document_type is given more than once")
        value = await super().get_value(request)
        if not 0 <= value <= LARGEST_TYPE:
            raise BadRequest(f"document_type is not between 0 and {LARGEST_TYPE}")
        return value


def document_bounds(_: OpenAPIHandler, operation: Operation) -> None:
    """BlackSheep documents any integer as one of 64 bits."""
    [parameter] = operation.parameters
    parameter.schema.minimum = 0
    parameter.schema.maximum = LARGEST_TYPE


DOCUMENTS = ResponseInfo(
    "The documents",
    content=[
        ContentInfo(
            list[Document],
            # A single example would not be written into the document, so there are two.
            examples=[
                ResponseExample(
                    name="documents",
                    value=[
                        Document(
                            id="registry-001",
                            document_type=1,
                            string_array=["Amber Quay", "Łąka Höhe"],
                            int_array=[3, 1, 2],
                            child_objects=[Child(id="registry-001-0", name="Birch Mill", number=100)],
                        )
                    ],
                ),
                ResponseExample(name="none", value=[]),
            ],
        )
    ],
)
BAD_REQUEST = ResponseInfo("document_type is wrong", content=[ContentInfo(str, content_type="text/plain")])
UNAVAILABLE = ResponseInfo("Solr does not answer", content=[ContentInfo(Problem)])


@docs(
    parameters={"document_type": ParameterInfo("The type of the documents to return", example=1)},
    responses={200: DOCUMENTS, 400: BAD_REQUEST, 503: UNAVAILABLE},
    on_created=document_bounds,
)
async def json_serialization(document_type: FromDocumentType) -> Response:
    """Documents of a type, as they are"""
    return answer(await documents(document_type.value))


@docs(responses={200: DOCUMENTS, 503: UNAVAILABLE})
async def anonymization() -> Response:
    """Documents with small numbers hidden"""
    return answer([document.anonymized() for document in await documents(1)])


async def documents(document_type: int) -> list[Document]:
    content = await solr.select(document_type)
    try:
        return SolrAnswer.model_validate_json(content).response.docs
    except ValidationError as error:
        raise InternalServerError(error) from error  # for a ValidationError BlackSheep would blame the client, with 400


def answer(found: list[Document]) -> Response:
    return json([document.model_dump(exclude_none=True) for document in found])
