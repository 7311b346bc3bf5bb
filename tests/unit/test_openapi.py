"""What is asked of an app's OpenAPI document, of each version."""

import contextlib
import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from restbench.conformance.http import Answer, Mismatch
from restbench.conformance.openapi import Description

Json = dict[str, Any]

CHILD = {"type": "object", "properties": {"id": {"type": "string"}, "name": {}, "number": {"type": "integer"}}}
CHILDREN = {"type": "array", "items": {"$ref": "#/components/schemas/Child"}}
DOCUMENT = {
    "type": "object",
    "required": ["id"],
    "properties": {
        "id": {"type": "string", "examples": ["registry-001"]},
        "document_type": {"type": "integer"},
        "string_array": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]},
        "int_array": {"type": "array", "items": {"type": "integer"}},
        "child_objects": {"anyOf": [CHILDREN, {"type": "null"}]},
    },
}
LIST = {"type": "array", "items": {"$ref": "#/components/schemas/Document"}}


def responses(*statuses: str) -> Json:
    answers: Json = {status: {"description": "why not"} for status in statuses}
    return answers | {"200": {"description": "documents", "content": {"application/json": {"schema": LIST}}}}


PARAMETER = {
    "name": "document_type",
    "in": "query",
    "required": True,
    "description": "which",
    "schema": {"type": "integer", "examples": [1]},
}

WHOLE: Json = {
    "openapi": "3.1.0",
    "info": {"title": "made", "version": "1"},
    "paths": {
        "/json_serialization": {
            "get": {"summary": "as they are", "parameters": [PARAMETER], "responses": responses("422", "503")}
        },
        "/anonymization": {"get": {"summary": "hidden", "responses": responses("503")}},
    },
    "components": {"schemas": {"Child": CHILD, "Document": DOCUMENT}},
}

SWAGGER: Json = {
    "swagger": "2.0",
    "basePath": "/",
    "info": {"title": "made", "version": "1"},
    "paths": {
        path: {
            "get": {
                "summary": "documents",
                "parameters": parameters,
                "responses": {
                    "200": {
                        "description": "documents",
                        "schema": {"type": "array", "items": {"$ref": "#/definitions/Document"}},
                        "examples": {"application/json": [{"id": "registry-001"}]},
                    },
                    "400": {"description": "why not"},
                    "503": {"description": "why not"},
                },
            }
        }
        for path, parameters in {
            "/json_serialization": [
                {"name": "document_type", "in": "query", "required": True, "type": "integer", "x-example": 1}
            ],
            "/anonymization": [],
        }.items()
    },
    "definitions": {
        "Child": CHILD,
        "Document": {
            "type": "object",
            "properties": {
                **{name: {} for name in ("id", "document_type", "string_array", "int_array")},
                "child_objects": {"type": "array", "items": {"$ref": "#/definitions/Child"}},
            },
        },
    },
}


def answer(document: object, status: int = 200) -> Answer:
    return Answer("GET /openapi.json", status, "application/json", json.dumps(document).encode())


def described(change: Callable[[Json], object] = lambda _: None, of: Json = WHOLE) -> Description:
    document = copy.deepcopy(of)
    change(document)
    return Description.of(answer(document), ["/json_serialization", "/anonymization"])


def operation(document: Json, path: str = "/json_serialization") -> Json:
    found: Json = document["paths"][path]["get"]
    return found


def test_a_whole_document_is_valid_and_has_every_mark() -> None:
    description = described()
    description.check_valid()
    assert set(description.features().values()) == {True}


def test_swagger_is_read_too_and_only_the_version_is_missing() -> None:
    description = described(of=SWAGGER)
    description.check_valid()
    assert [name for name, had in description.features().items() if not had] == ["version-3", "description"]


@pytest.mark.parametrize(
    ("feature", "change"),
    [
        ("summary", lambda d: operation(d, "/anonymization").pop("summary")),
        ("description", lambda d: operation(d)["parameters"][0].pop("description")),
        ("type", lambda d: operation(d)["parameters"][0].update(schema={"type": "string", "examples": ["1"]})),
        ("required", lambda d: operation(d)["parameters"][0].pop("required")),
        ("example", lambda d: operation(d)["parameters"][0]["schema"].pop("examples")),
        ("schema", lambda d: d["components"]["schemas"]["Child"]["properties"].pop("number")),
        ("schema", lambda d: d["components"]["schemas"]["Document"]["properties"].pop("int_array")),
        ("response-example", lambda d: d["components"]["schemas"]["Document"]["properties"]["id"].pop("examples")),
        ("4xx", lambda d: operation(d)["responses"].pop("422")),
        ("503", lambda d: operation(d, "/anonymization")["responses"].pop("503")),
    ],
)
def test_what_is_missing_is_seen(feature: str, change: Callable[[Json], object]) -> None:
    assert [name for name, had in described(change).features().items() if not had] == [feature]


def test_a_parameter_that_is_not_there_has_no_features() -> None:
    features = described(lambda d: operation(d).pop("parameters")).features()
    assert {name for name, had in features.items() if not had} == {"description", "type", "required", "example"}


@pytest.mark.parametrize(
    ("change", "got"),
    [
        (lambda d: d["info"].pop("title"), "is a required property"),
        (lambda d: operation(d)["parameters"].append({"$ref": "#/components/parameters/none"}), "none"),
        (lambda d: d["paths"].pop("/anonymization"), "nothing about it"),
    ],
)
def test_a_document_that_is_not_valid_is_refused(change: Callable[[Json], object], got: str) -> None:
    with pytest.raises(Mismatch) as refused:
        described(change).check_valid()
    assert got in refused.value.got


@pytest.mark.parametrize(
    ("body", "status", "got"),
    [
        ([{"document_type": 1}], 200, "'id' is a required property"),
        ([{"id": 7}], 200, "7 is not of type 'string'"),
        ([{"id": "a", "child_objects": [{"number": "3"}]}], 200, "is not valid under any of the given schemas"),
        ({}, 418, "not documented"),
    ],
)
def test_an_answer_that_the_document_does_not_tell_of_is_refused(body: object, status: int, got: str) -> None:
    with pytest.raises(Mismatch) as refused:
        described().check_answer("/json_serialization", answer(body, status))
    assert got in refused.value.got


def test_a_schema_that_points_to_nothing_is_refused_and_breaks_nothing() -> None:
    with pytest.raises(Mismatch):
        described(lambda d: d["components"]["schemas"].pop("Child")).check_answer(
            "/json_serialization", answer([{"id": "a", "child_objects": []}, {"id": "b", "child_objects": [{}]}])
        )


def test_an_answer_that_it_tells_of_is_right() -> None:
    right = [{"id": "a", "document_type": 1, "string_array": ["x"], "child_objects": [{"id": "b", "number": 3}]}]
    described().check_answer("/json_serialization", answer(right))
    described(of=SWAGGER).check_answer("/json_serialization", answer(right))
    described().check_answer("/json_serialization", answer({"anything": "goes"}, 422))


@pytest.mark.parametrize(("document", "status"), [({}, 200), ([], 200), (WHOLE, 404)])
def test_what_is_no_document_is_refused(document: object, status: int) -> None:
    with pytest.raises(Mismatch):
        Description.of(answer(document, status), [])


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.update(paths=[]),
        lambda d: d.update(paths=None),
        lambda d: operation(d).update(parameters=None),
        lambda d: operation(d)["parameters"][0].update(schema=True),
        lambda d: d["components"]["schemas"].update(Document={"$ref": "#/components/schemas/Document"}),
        lambda d: d["components"]["schemas"].update(Document={"allOf": [{"$ref": "#/components/schemas/Document"}]}),
        lambda d: d["components"]["schemas"].update(Document={"$ref": "#/paths/0/x"}),
        lambda d: operation(d).update(responses=3),
    ],
)
def test_a_document_of_any_shape_is_at_most_wrong(change: Callable[[Json], object]) -> None:
    """Each of these once raised what nobody caught, or went round for ever."""
    description = described(change)
    for look in (
        description.check_valid,
        description.features,
        lambda: description.check_answer("/json_serialization", answer([{"id": "x"}])),
    ):
        with contextlib.suppress(Mismatch):
            look()


def test_a_reference_may_lead_through_a_list() -> None:
    def point_into_a_list(document: Json) -> None:
        document["components"]["schemas"]["Both"] = {"anyOf": [document["components"]["schemas"]["Document"]]}
        document["components"]["schemas"]["Document"] = {"$ref": "#/components/schemas/Both/anyOf/0"}

    assert described(point_into_a_list).features()["schema"]
