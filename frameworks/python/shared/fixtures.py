"""Reads the rows of the fixtures at the app's start. A row that does not fit its type ends the app, with one line."""

import json
import os
import sys
from dataclasses import is_dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

FOLDER = Path(os.environ.get("FIXTURES", "/fixtures")) / "issue-tracker"

Row = TypeVar("Row")


class Misfit(Exception):  # noqa: N818 - a fault of a file, not of a program
    """Says where in a file a value does not fit its type."""


def read(file: str, row_type: type[Row]) -> list[Row]:
    """Returns the rows of the file as values of that type: a dataclass, or dict for plain rows."""
    try:
        return _build(list[row_type], json.loads((FOLDER / file).read_text(encoding="utf-8")), file)
    except (OSError, Misfit) as error:
        problem = str(error)
    except ValueError as error:
        problem = f"{file}: {error}"
    print(problem, file=sys.stderr)
    sys.exit(3)  # gunicorn and uvicorn would start another worker in place of one that ends with another code


def _build(kind: Any, value: Any, where: str) -> Any:
    """Makes a value of that type from the JSON value at that place of a file."""
    try:
        if get_origin(kind) is UnionType:
            return _build(get_args(kind)[0], value, where)  # the type's other part stands for a missing field
        if get_origin(kind) is list and isinstance(value, list):
            return [_build(get_args(kind)[0], item, f"{where}[{index}]") for index, item in enumerate(value)]
        if is_dataclass(kind) and isinstance(value, dict):
            types = _types(kind)
            return kind(**{name: _build(types.get(name), item, f"{where}.{name}") for name, item in value.items()})
        if kind is datetime:
            return datetime.fromisoformat(value)
        if type(value) is not kind:
            raise TypeError(f"{value!r} is no {kind.__name__}" if kind else "the type has no such field")
        return value
    except (TypeError, ValueError) as error:
        raise Misfit(f"{where}: {error}") from error


_types = cache(get_type_hints)
