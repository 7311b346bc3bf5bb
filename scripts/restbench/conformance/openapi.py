"""An app's OpenAPI document: is it valid, is it true, and what of the contract's marks does it have?

OpenAPI 3.x, and Swagger 2.0 where a framework makes nothing newer: what differs between them is told apart here.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from jsonschema import Draft4Validator
from openapi_schema_validator import OAS30Validator, OAS31Validator
from openapi_spec_validator import validate
from referencing.exceptions import Unresolvable

from restbench.conformance.http import Answer, Mismatch, shorten

_PARAMETER = "document_type"
_OPERATIONS = ("/json_serialization", "/anonymization")
_FIELDS = {"id", "document_type", "string_array", "int_array", "child_objects"}
_CHILD_FIELDS = {"id", "name", "number"}
_EXAMPLES = ("example", "examples", "x-example")

Json = dict[str, Any]

P = ParamSpec("P")
T = TypeVar("T")


def _of_any_shape(look: Callable[Concatenate["Description", P], T]) -> Callable[Concatenate["Description", P], T]:
    """What looks into a document stumbles over one of an unheard-of shape, which is then the document's fault."""

    @wraps(look)
    def look_safely(description: "Description", /, *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return look(description, *args, **kwargs)
        except Mismatch:
            raise
        except Exception as error:
            raise description.odd(error) from error

    return look_safely


@dataclass(frozen=True)
class Description:
    """The document, and the request that brought it."""

    request: str
    document: Json

    @classmethod
    def of(cls, answer: Answer) -> Self:
        """The document in an answer. Raises Mismatch where there is none."""
        if answer.status != 200:
            raise answer.fail("status 200 and an OpenAPI document", answer.shown())
        document = answer.json()
        if not isinstance(document, dict) or not ("openapi" in document or "swagger" in document):
            raise answer.fail("an OpenAPI document", answer.shown())
        return cls(answer.request, document)

    @property
    def _version(self) -> str:
        return str(self.document.get("openapi") or self.document.get("swagger"))

    def _fail(self, expected: str, got: str) -> Mismatch:
        return Mismatch(self.request, expected, got)

    def odd(self, error: Exception) -> Mismatch:
        return self._fail("a document of the shape that OpenAPI has", shorten(f"{type(error).__name__}: {error}"))

    @_of_any_shape
    def check_valid(self) -> None:
        """Raises Mismatch unless the document is valid for the version that it says, and has both operations."""
        try:
            validate(self.document)
        except Exception as error:  # a document may be wrong in ways that the validator itself stumbles over
            raise self._fail(f"a valid OpenAPI {self._version} document", shorten(str(error))) from error
        for path in _OPERATIONS:
            if "responses" not in self._operation(path):
                raise self._fail(f"GET {path} in the document", "nothing about it")

    @_of_any_shape
    def check_answer(self, path: str, answer: Answer) -> None:
        """Raises Mismatch where the document says something of that answer which is not so."""
        response = self._response(path, str(answer.status))
        if response is None:
            raise self._fail(f"{answer.status} among the responses of GET {path}", f"not documented: {answer.request}")
        schema = self._schema(response)
        if schema is None:
            return
        # local references are looked up in the schema itself, so it brings along what they may point to
        targets: Json = {key: self.document[key] for key in ("components", "definitions") if key in self.document}
        whole: Json = {**schema, **targets}
        validator = {"2": Draft4Validator, "3.0": OAS30Validator}.get(self._family, OAS31Validator)
        try:
            error = next(validator(whole).iter_errors(answer.json()), None)
        except Unresolvable as lost:
            raise self._fail(f"a schema of GET {path} that can be looked up", shorten(str(lost))) from lost
        if error is not None:
            raise answer.fail(
                f"what the schema of GET {path} says: {shorten(str(error.schema))}", shorten(error.message)
            )

    @property
    def _family(self) -> str:
        return "2" if self._version.startswith("2") else self._version[:3]

    @_of_any_shape
    def marks(self) -> dict[str, bool]:
        """The marks of docs/CONTRACT.md, each had or not. Raises Mismatch where the document cannot be read."""
        operations = [self._operation(path) for path in _OPERATIONS]
        parameter = self._parameter()
        kind = self._resolved(parameter.get("schema")) or parameter
        responses = [self._response(path, "200") or {} for path in _OPERATIONS]
        statuses = [set(operation.get("responses", {})) for operation in operations]
        return {
            "version-3": self._version.startswith("3"),
            "summary": all(operation.get("summary") for operation in operations),
            "description": bool(parameter.get("description") or kind.get("description")),
            "type": kind.get("type") == "integer",
            "required": parameter.get("required") is True,
            "example": _has_example(parameter) or _has_example(kind),
            "schema": all(self._names_fields(response) for response in responses),
            "response-example": all(self._has_response_example(response) for response in responses),
            "4xx": any(str(status).startswith("4") for status in statuses[0]),
            "503": all(statuses_ & {"502", "503", "504", "5XX"} for statuses_ in statuses),
        }

    def _operation(self, path: str) -> Json:
        paths, base = self.document.get("paths", {}), self.document.get("basePath", "").rstrip("/")
        item: Json = paths.get(path) or next((paths[p] for p in paths if base + p.rstrip("/") == path), {})
        operation: Json = item.get("get", {})
        return {**operation, "parameters": [*item.get("parameters", []), *operation.get("parameters", [])]}

    def _parameter(self) -> Json:
        found = (self._resolved(p) for p in self._operation(_OPERATIONS[0])["parameters"])
        return next((p for p in found if p and p.get("name") == _PARAMETER and p.get("in") == "query"), {})

    def _response(self, path: str, status: str) -> Json | None:
        responses = self._operation(path).get("responses", {})
        found = responses.get(status) or responses.get(f"{status[0]}XX") or responses.get("default")
        return self._resolved(found)

    def _schema(self, response: Json) -> Json | None:
        """The schema of a response as it is written: a reference in it is kept."""
        if self._family == "2":
            return response.get("schema")
        schema: Json | None = self._media(response).get("schema")
        return schema

    @staticmethod
    def _media(response: Json) -> Json:
        content = response.get("content", {})
        found: Json = next((content[kind] for kind in content if "json" in kind), {})
        return found

    def _names_fields(self, response: Json) -> bool:
        documents = self._properties(self._items(self._schema(response)))
        return documents.keys() >= _FIELDS and (
            self._properties(self._items(documents["child_objects"])).keys() >= _CHILD_FIELDS
        )

    def _items(self, schema: Json | None) -> Json | None:
        return next((s["items"] for s in self._alternatives(schema) if "items" in s), None)

    def _properties(self, schema: Json | None) -> Json:
        return {name: s for part in self._alternatives(schema) for name, s in part.get("properties", {}).items()}

    def _alternatives(self, schema: Json | None) -> Iterator[Json]:
        """The schema, and the parts that it is put together from."""
        resolved = self._resolved(schema)
        if resolved is None:
            return
        yield resolved
        for part in (part for key in ("allOf", "anyOf", "oneOf") for part in resolved.get(key, [])):
            yield from self._alternatives(part)

    def _has_response_example(self, response: Json) -> bool:
        if _has_example(self._media(response)) or _has_example(response):
            return True
        schema = self._schema(response)
        parts = [*self._alternatives(schema), *self._alternatives(self._items(schema))]
        fields = self._properties(self._items(schema)).values()
        return any(map(_has_example, parts)) or any(_has_example(s) for f in fields for s in self._alternatives(f))

    def _resolved(self, node: Json | None) -> Json | None:
        """The node, or what it refers to within the document. Raises ValueError where that is the node again."""
        seen: set[str] = set()
        while node is not None and "$ref" in node:
            reference = node["$ref"]
            if reference in seen:
                raise ValueError(f"{reference} refers to itself")
            seen.add(reference)
            target: Any = self.document
            for key in reference.removeprefix("#/").split("/"):
                plain = key.replace("~1", "/").replace("~0", "~")
                target = target[int(plain)] if isinstance(target, list) else target.get(plain, {})
            node = target
        return node


def _has_example(node: Json) -> bool:
    return any(node.get(key) not in (None, [], {}) for key in _EXAMPLES)
