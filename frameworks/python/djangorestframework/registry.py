import json
from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema, extend_schema_serializer
from rest_framework import serializers, status
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from fields import TextField
from shared.blocking_solr import SolrUnavailable, solr


class ServiceUnavailable(APIException):
    status_code = status.HTTP_503_SERVICE_UNAVAILABLE
    default_detail = "Solr does not answer."
    default_code = "service_unavailable"


class ChildSerializer(serializers.Serializer):
    id = TextField()
    name = TextField(required=False)
    number = serializers.IntegerField(required=False)


@extend_schema_serializer(
    examples=[
        OpenApiExample(
            "A document with a child",
            value={
                "id": "registry-001",
                "document_type": 1,
                "string_array": ["Amber Quay", "Łąka Höhe"],
                "int_array": [3, 1, 2],
                "child_objects": [{"id": "registry-001-0", "name": "Birch Mill", "number": 100}],
            },
        )
    ]
)
class DocumentSerializer(serializers.Serializer):
    id = TextField()
    document_type = serializers.IntegerField()
    string_array = serializers.ListField(child=TextField(), required=False)
    int_array = serializers.ListField(child=serializers.IntegerField(), required=False)
    child_objects = ChildSerializer(many=True, required=False)


class FoundSerializer(serializers.Serializer):
    docs = DocumentSerializer(many=True)


class SolrAnswerSerializer(serializers.Serializer):
    response = FoundSerializer()


class QuerySerializer(serializers.Serializer):
    document_type = serializers.IntegerField(
        min_value=0, max_value=2**31 - 1, help_text="The type of the documents to return"
    )

    def validate_document_type(self, value: int) -> int:
        """A field takes the last of several values: more than one is a mistake here."""
        if len(self.initial_data.getlist("document_type")) > 1:
            raise serializers.ValidationError("Given more than once.")
        return value


class InvalidQuerySerializer(serializers.Serializer):
    document_type = serializers.ListField(child=serializers.CharField(), help_text="What is wrong with it")


class ProblemSerializer(serializers.Serializer):
    detail = serializers.CharField()


INVALID = OpenApiResponse(InvalidQuerySerializer, "document_type is missing, wrong, or given more than once")
UNAVAILABLE = OpenApiResponse(ProblemSerializer, "Solr does not answer")


def documents(document_type: int) -> list[dict[str, Any]]:
    try:
        content = solr.select(document_type)
    except SolrUnavailable as error:
        raise ServiceUnavailable from error
    answer = SolrAnswerSerializer(data=json.loads(content))
    if not answer.is_valid():
        raise APIException  # is answered with 500, where raise_exception=True would blame the client, with 400
    return answer.validated_data["response"]["docs"]


def anonymize(document: dict[str, Any]) -> None:
    for child in document.get("child_objects", []):
        if "number" in child and child["number"] < 100:
            child["number"] = 0


class JsonSerialization(APIView):
    @extend_schema(
        summary="Documents of a type, as they are",
        parameters=[QuerySerializer],
        responses={200: DocumentSerializer(many=True), 400: INVALID, 503: UNAVAILABLE},
        examples=[OpenApiExample("The type of most documents", value=1, parameter_only=("document_type", "query"))],
    )
    def get(self, request: Request) -> Response:
        query = QuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        found = documents(query.validated_data["document_type"])
        return Response(DocumentSerializer(found, many=True).data)


class Anonymization(APIView):
    @extend_schema(
        summary="Documents with small numbers hidden",
        responses={200: DocumentSerializer(many=True), 503: UNAVAILABLE},
    )
    def get(self, request: Request) -> Response:
        found = documents(1)
        for document in found:
            anonymize(document)
        return Response(DocumentSerializer(found, many=True).data)
