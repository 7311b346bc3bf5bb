"""Reading and writing result files: whole or not at all."""

import contextlib
import json
import os
import tempfile
from pathlib import Path

from pydantic import ValidationError

from restbench.errors import ResultsError
from restbench.results.models import SCHEMA_VERSION, EntryResult


def write_atomically(path: Path, content: bytes) -> None:
    """Replaces the file, or leaves what was there. Raises ResultsError."""
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
            temporary = Path(file.name)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o644)
        temporary.replace(path)
    except OSError as error:
        if temporary is not None:
            with contextlib.suppress(OSError):
                temporary.unlink()
        raise ResultsError(
            f"{path}: cannot be written ({error.strerror}); what was there is untouched: make room and try again"
        ) from error


def entry_path(folder: Path, entry: str) -> Path:
    return folder / f"{entry}.json"


def write_entry(folder: Path, result: EntryResult) -> Path:
    """<folder>/<language>/<framework>.json, one cell a block, so that diffs read well."""
    path = entry_path(folder, result.entry)
    write_atomically(path, dump_entry(result))
    return path


def dump_entry(result: EntryResult) -> bytes:
    """The same result gives the same bytes."""
    return (
        json.dumps(
            result.model_dump(mode="json", exclude_defaults=True) | {"schema_version": SCHEMA_VERSION},
            indent=1,
            ensure_ascii=False,
        )
        + "\n"
    ).encode()


def read_entry(path: Path) -> EntryResult:
    """A result file. Raises ResultsError for one that is truncated, of a newer schema, or otherwise not a result."""
    try:
        document = json.loads(path.read_bytes())
    except OSError as error:
        raise ResultsError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ResultsError(f"{path}: is not whole JSON ({error}): restore it from git, or measure again") from error
    version = document.get("schema_version") if isinstance(document, dict) else None
    if isinstance(version, int) and version > SCHEMA_VERSION:
        raise ResultsError(
            f"{path}: was written by a newer restbench (schema {version}, this one reads {SCHEMA_VERSION}): update"
        )
    try:
        return EntryResult.model_validate(document)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ResultsError(f"{path}: is not a result: {where}: {first['msg']}") from error


def read_folder(folder: Path) -> dict[str, EntryResult]:
    """All results of a folder by entry. Raises ResultsError at the first that cannot be read."""
    results = {}
    for path in sorted(folder.glob("*/*.json")):
        result = read_entry(path)
        if entry_path(folder, result.entry) != path:
            raise ResultsError(f"{path}: is about {result.entry}: move it to {entry_path(folder, result.entry)}")
        results[result.entry] = result
    return results
