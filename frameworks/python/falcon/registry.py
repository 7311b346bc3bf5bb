from typing import Annotated, Any

import falcon
import msgspec
import spectree
from falcon.asgi import Request, Response
from msgspec import UNSET, Meta, Struct, UnsetType

from shared.solr import SolrUnavailable, solr

spec = spectree.SpecTree(
    "falcon-asgi",
    model_adapter=spectree.get_msgspec_model_adapter(),
    mode="strict",  # other modes list routes that nothing is declared of, without responses, which is not valid OpenAPI
    title="restbench",
)


class DocumentQuery(Struct):
    document_type: Annotated[
        int, Meta(description="The type of the documents to return", ge=0, le=2**31 - 1, examples=[1])
    ]


class Child(Struct):
    id: str
    name: str | UnsetType = UNSET
    number: int | UnsetType = UNSET

    def anonymized(self) -> "Child":
        hidden = self.number is not UNSET and self.number < 100
        return msgspec.structs.replace(self, number=0) if hidden else self


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
        return msgspec.structs.replace(self, child_objects=[child.anonymized() for child in self.child_objects])


class Found(Struct):
    docs: list[Document]


class SolrAnswer(Struct):
    response: Found


class Problem(Struct):
    """What Falcon answers an HTTPError with."""

    title: str
    description: str


decoder = msgspec.json.Decoder(SolrAnswer)


async def documents(document_type: int) -> list[Document]:
    return decoder.decode(await solr.select(document_type)).response.docs


class JsonSerialization:
    @spec.validate(resp=spectree.Response(HTTP_200=list[Document], HTTP_503=(Problem, "Solr does not answer")))
    async def on_get(self, req: Request, resp: Response, query: DocumentQuery) -> None:
        """Documents of a type, as they are"""
        resp.media = await documents(query.document_type)


class Anonymization:
    @spec.validate(resp=spectree.Response(HTTP_200=list[Document], HTTP_503=(Problem, "Solr does not answer")))
    async def on_get(self, req: Request, resp: Response) -> None:
        """Documents with small numbers hidden"""
        resp.media = [document.anonymized() for document in await documents(1)]


async def solr_is_unavailable(req: Request, resp: Response, error: SolrUnavailable, params: dict[str, Any]) -> None:
    raise falcon.HTTPServiceUnavailable(description="Solr does not answer") from error
