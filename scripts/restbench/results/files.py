"""Reads and writes result files. A file is read or written whole, or not at all."""

import json
import logging
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from restbench.errors import ResultsError
from restbench.results.models import SCHEMA_VERSION, EntryResult
from restbench.system.files import write_atomically
from restbench.system.text import one_line

log = logging.getLogger(__name__)

LINE_WIDTH = 240
"""Characters. An object or a list that fits into so many is written on one line."""


def entry_path(folder: Path, entry: str) -> Path:
    return folder / f"{entry}.json"


def write_entry(folder: Path, result: EntryResult) -> Path:
    """Writes <folder>/<language>/<framework>.json as `dump_entry` formats it. Returns its path."""
    path = entry_path(folder, result.entry)
    write_atomically(path, dump_entry(result))
    return path


def dump_entry(result: EntryResult) -> bytes:
    """JSON with a line for each column of rounds, so that diffs are readable. The same result gives the same bytes.

    Fields that have their default are left out.
    """
    document = {"schema_version": SCHEMA_VERSION} | result.model_dump(mode="json", exclude_defaults=True)
    return f"{_lines(document, '')}\n".encode()


def _lines(value: Any, indent: str) -> str:
    """JSON in lines. An object or a list of objects has a line for each part, unless all of it fits into one line."""
    deeper = f"{indent} "
    if isinstance(value, dict):
        fields = [(json.dumps(name), _lines(part, deeper)) for name, part in value.items()]
        compact = "{" + ",".join(f"{name}:{part}" for name, part in fields) + "}"
        parts, brackets = [f"{name}: {part}" for name, part in fields], "{}"
    elif isinstance(value, list) and any(isinstance(part, dict) for part in value):
        parts, brackets = [_lines(part, deeper) for part in value], "[]"
        compact = f"[{','.join(parts)}]"
    else:
        return compact_json(value)
    if "\n" not in compact and len(compact) <= LINE_WIDTH:
        return compact
    separator = f",\n{deeper}"
    return f"{brackets[0]}\n{deeper}{separator.join(parts)}\n{indent}{brackets[1]}"


def compact_json(value: Any) -> str:
    """JSON without spaces. Whole numbers are written without a fraction: 1234 in place of 1234.0."""
    return json.dumps(_whole(value), ensure_ascii=False, separators=(",", ":"))


def trimmed(values: NamedTuple) -> list[Any]:
    """The values of a tuple as an array, without those at its end that are defaults."""
    array, defaults = list(values), list(values._field_defaults.values())
    while defaults and array[-1] == defaults.pop():
        array.pop()
    return array


def _whole(value: Any) -> Any:
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, dict):
        return {name: _whole(part) for name, part in value.items()}
    return [_whole(part) for part in value] if isinstance(value, list | tuple) else value


def schema_of(document: Any, key: str = "schema_version") -> int | None:
    """The schema version that a document names under the key; None where it names none."""
    version = document.get(key) if isinstance(document, dict) else None
    return version if isinstance(version, int) else None


def check_schema(where: str, version: int | None) -> None:
    """Raises ResultsError when the version is not the one that this restbench reads. `where` begins the message."""
    if version is not None and version > SCHEMA_VERSION:
        raise ResultsError(
            f"{where}: was written by a newer restbench (schema {version}, this one reads {SCHEMA_VERSION}): update"
        )
    if version is not None and version < SCHEMA_VERSION:
        raise ResultsError(f"{where}: was written by an older restbench (schema {version}): measure again")


def first_mistake(error: ValidationError) -> str:
    """The first mistake that was found, with the path of its field, on one line. Both may come from a stranger."""
    first = error.errors()[0]
    where = ".".join(one_line(str(part), 80) for part in first["loc"])
    return one_line(f"{where}: {first['msg']}" if where else first["msg"])


def read_entry(path: Path) -> EntryResult:
    """The result in a file. Raises ResultsError when it cannot be read, is no whole result, or has another schema."""
    try:
        document = json.loads(path.read_bytes())
        check_schema(str(path), schema_of(document))
        return EntryResult.model_validate(document)
    except OSError as error:
        raise ResultsError(f"{path}: cannot be read: {error.strerror}") from error
    except ValidationError as error:
        raise ResultsError(f"{path}: is not a result: {first_mistake(error)}") from error
    except (ValueError, RecursionError) as error:
        raise ResultsError(f"{path}: is not whole JSON ({error}): restore it from git, or measure again") from error


def read_folder(folder: Path) -> dict[str, EntryResult]:
    """All results of a folder by entry. Raises ResultsError at the first that cannot be read or is in a wrong place."""
    return {result.entry: result for result in (_in_place(folder, path) for path in sorted(folder.glob("*/*.json")))}


def readable_results(folder: Path) -> dict[str, EntryResult]:
    """The results of a folder that can be read, by entry.

    The service leaves out the others. Where a person is there who can restore them, `read_folder` is what is called.
    """
    found: dict[str, EntryResult] = {}
    for path in sorted(folder.glob("*/*.json")):
        try:
            result = _in_place(folder, path)
            found[result.entry] = result
        except ResultsError as error:
            log.warning("%s; it is left out", error.message)
    return found


def _in_place(folder: Path, path: Path) -> EntryResult:
    result = read_entry(path)
    if entry_path(folder, result.entry) != path:
        raise ResultsError(f"{path}: is about {result.entry}: move it to {entry_path(folder, result.entry)}")
    return result
