"""Checks an app's OpenAPI document: whether it is valid and true, and which features of the contract it has.

The document is OpenAPI 3.x, or Swagger 2.0 where a framework makes nothing newer. Both are handled here.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from jsonschema import Draft4Validator
from openapi_schema_validator import OAS30Validator, OAS31Validator
from openapi_spec_validator import validate
from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from restbench.conformance.http import Answer, Mismatch, shorten

_PARAMETER = "document_type"
_FIELDS = {"id", "document_type", "string_array", "int_array", "child_objects"}
_CHILD_FIELDS = {"id", "name", "number"}
_EXAMPLES = ("example", "examples", "x-example")

Json = dict[str, Any]


@dataclass(frozen=True)
class Description:
    """An OpenAPI document, and the request that it answered.

    `paths`: those that it has to describe. The parameter `document_type` belongs to the first of them.
    """

    request: str
    document: Json
    paths: Sequence[str]

    @classmethod
    def of(cls, answer: Answer, paths: Sequence[str]) -> Self:
        """Returns the document in an answer. Raises Mismatch when there is none."""
        if answer.status != 200:
            raise answer.fail("status 200 and an OpenAPI document", answer.shown())
        document = answer.json()
        if not isinstance(document, dict) or not ("openapi" in document or "swagger" in document):
            raise answer.fail("an OpenAPI document", answer.shown())
        return cls(answer.request, document, paths)

    @cached_property
    def _registry(self) -> Registry[Any]:
        """The document as the only one in which references are looked up."""
        registry: Registry[Any] = Registry().with_resource("", DRAFT202012.create_resource(self.document))
        return registry

    @property
    def _version(self) -> str:
        return str(self.document.get("openapi") or self.document.get("swagger"))

    def _fail(self, expected: str, got: str) -> Mismatch:
        return Mismatch(self.request, expected, got)

    @contextmanager
    def _of_any_shape(self) -> Iterator[None]:
        """Raises any error in the block as Mismatch: the document, which has an unexpected structure, is at fault."""
        try:
            yield
        except Mismatch:
            raise
        except Exception as error:
            got = shorten(f"{type(error).__name__}: {error}")
            raise self._fail("a document with the structure of OpenAPI", got) from error

    def check_valid(self) -> None:
        """Raises Mismatch unless the document is valid for the version that it names, and has all operations."""
        with self._of_any_shape():
            try:
                validate(self.document)
            except Exception as error:  # a wrong document may make the validator itself fail
                raise self._fail(f"a valid OpenAPI {self._version} document", shorten(str(error))) from error
            for path in self.paths:
                if "responses" not in self._operation(path):
                    raise self._fail(f"GET {path} in the document", "nothing about it")

    def check_answer(self, path: str, answer: Answer) -> None:
        """Raises Mismatch when the document does not have the answer's status, or the body does not fit its schema."""
        with self._of_any_shape():
            response = self._response(path, str(answer.status))
            if response is None:
                raise self._fail(
                    f"{answer.status} among the responses of GET {path}", f"not documented: {answer.request}"
                )
            schema = self._schema(response)
            if schema is None:
                return
            # references are resolved within the schema, so the schema gets the parts of the document that they may name
            targets: Json = {key: self.document[key] for key in ("components", "definitions") if key in self.document}
            whole: Json = {**schema, **targets}
            validator = {"2": Draft4Validator, "3.0": OAS30Validator}.get(self._family, OAS31Validator)
            try:
                error = next(validator(whole).iter_errors(answer.json()), None)
            except Unresolvable as lost:
                raise self._fail(
                    f"a schema of GET {path} whose references can be resolved", shorten(str(lost))
                ) from lost
            if error is not None:
                raise answer.fail(
                    f"what the schema of GET {path} says: {shorten(str(error.schema))}", shorten(error.message)
                )

    @property
    def _family(self) -> str:
        return "2" if self._version.startswith("2") else self._version[:3]

    def features(self) -> dict[str, bool]:
        """Returns for each feature check of docs/CONTRACT.md whether it is passed.

        Raises Mismatch when the document cannot be read.
        """
        with self._of_any_shape():
            operations = [self._operation(path) for path in self.paths]
            parameters = [self._resolved(each) or {} for each in operations[0]["parameters"]]
            named = (each for each in parameters if each.get("name") == _PARAMETER and each.get("in") == "query")
            parameter = next(named, {})
            kind = self._resolved(parameter.get("schema")) or parameter
            responses = [self._response(path, "200") or {} for path in self.paths]
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

    def _response(self, path: str, status: str) -> Json | None:
        responses = self._operation(path).get("responses", {})
        found = responses.get(status) or responses.get(f"{status[0]}XX") or responses.get("default")
        return self._resolved(found)

    def _schema(self, response: Json) -> Json | None:
        """Returns the schema of a response as it is written, with its references unresolved."""
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
        """Yields the schema, and the schemas that it combines with allOf, anyOf and oneOf."""
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
        """Returns the node, or the node of the document that its $ref names.

        Raises ValueError for a reference that leads back to itself.
        """
        seen: set[str] = set()
        while node is not None and "$ref" in node:
            reference = node["$ref"]
            if reference in seen:
                raise ValueError(f"{reference} refers to itself")
            seen.add(reference)
            node = self._registry.resolver().lookup(reference).contents
        return node


def _has_example(node: Json) -> bool:
    return any(node.get(key) not in (None, [], {}) for key in _EXAMPLES)
