from collections.abc import Iterable

from pydantic import BaseModel, Field, RootModel
from quart import Blueprint
from quart_schema import (
    OpenAPIProvider,
    RequestSchemaValidationError,
    document_response,
    validate_querystring,
    validate_response,
)
from werkzeug.routing import Rule

from shared.solr import SolrUnavailable, solr

blueprint = Blueprint("registry", __name__)


class RegistryProvider(OpenAPIProvider):
    """Documents this module only, because in others functions serve several paths, or have the name of another."""

    def generate_rules(self) -> Iterable[Rule]:
        return (rule for rule in super().generate_rules() if rule.endpoint.startswith("registry."))


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


class Documents(RootModel[list[Document]]):
    """The documents, in Solr's order"""


class Found(BaseModel):
    docs: list[Document]


class SolrAnswer(BaseModel):
    response: Found


class Mistake(BaseModel):
    """document_type is missing, or is not a number of a type"""

    detail: str


class Unavailable(BaseModel):
    """Solr does not answer"""

    detail: str


class Query(BaseModel):
    document_type: int = Field(
        description="The type of the documents to return",
        ge=0,
        le=2**31 - 1,
        examples=[1],
        json_schema_extra={"required": True},  # Quart-Schema reads it here, where Pydantic does not put it
    )


async def documents(document_type: int) -> list[Document]:
    return SolrAnswer.model_validate_json(await solr.select(document_type)).response.docs


@blueprint.app_errorhandler(RequestSchemaValidationError)
async def mistake(error: RequestSchemaValidationError) -> tuple[Mistake, int]:
    return Mistake(detail=str(error.validation_error)), 400


@blueprint.errorhandler(SolrUnavailable)
async def unavailable(error: SolrUnavailable) -> tuple[Unavailable, int]:
    return Unavailable(detail="Solr does not answer"), 503


@blueprint.get("/json_serialization/pydantic")
@validate_querystring(Query)
@validate_response(Documents)
@document_response(Mistake, 400)
@document_response(Unavailable, 503)
async def json_serialization(query_args: Query) -> Documents:
    """Documents of a type, as they are"""
    return Documents(await documents(query_args.document_type))


@blueprint.get("/anonymization/pydantic")
@validate_response(Documents)
@document_response(Unavailable, 503)
async def anonymization() -> Documents:
    """Documents with small numbers hidden"""
    return Documents([document.anonymized() for document in await documents(1)])
