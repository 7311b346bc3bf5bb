"""What the variants share: the parameter, the request to Solr, and the answer while Solr is down."""

from typing import Annotated

from litestar import Request
from litestar.exceptions import ServiceUnavailableException, ValidationException
from litestar.openapi.spec import Example
from litestar.params import QueryParameter

from shared.solr import SolrUnavailable, solr

DocumentType = Annotated[
    int,
    QueryParameter(description="The type of the documents to return", ge=0, le=2**31 - 1, examples=[Example(value=1)]),
]


class RegistryUnavailable(ServiceUnavailableException):
    detail = "Solr does not answer"


async def given_once(request: Request) -> None:
    """Litestar takes the last of several values: more than one is a mistake here."""
    if len(request.query_params.getall("document_type", [])) > 1:
        raise ValidationException("document_type is given more than once")


async def select(document_type: int) -> bytes:
    try:
        return await solr.select(document_type)
    except SolrUnavailable as error:
        raise RegistryUnavailable from error
