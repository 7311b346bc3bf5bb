"""Reads one file of an artifact that is not trusted. It is read in memory, and nothing is unpacked to disk.

A zip file can name paths outside of a folder, contain links, and unpack to a thousand times its size (D. Fifield, A
better zip bomb, 2019). None of this does harm, because one member is read by its name, up to a limit.
"""

import io
import json
import lzma
import zipfile
import zlib
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from restbench.errors import ResultsError
from restbench.render import markdown
from restbench.results.files import first_mistake
from restbench.system.lines import one_line

LARGEST = 1_000_000
"""The most bytes of an artifact, packed and unpacked. A comparison of a hundred cells has 50,000."""

_NOT_UNPACKED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, RuntimeError, ValueError)
"""Exceptions of zipfile for a file that is no archive, cut off, damaged, encrypted, or packed in an unknown way."""

M = TypeVar("M", bound=BaseModel)


def read_upload(name: str, archive: bytes, member: str, model: type[M]) -> M:
    """Reads a member of an artifact as a model, with all of its texts made harmless.

    `name` is the artifact's name for messages. Raises ResultsError where the member is missing, cannot be unpacked, is
    larger than LARGEST or does not fit the model.
    """
    where = one_line(f"{markdown.defused(name)[:100]}/{member}")
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as packed, packed.open(member) as file:
            text = file.read(LARGEST + 1)
    except KeyError:
        raise ResultsError(f"{where} is not there: it is refused") from None
    except _NOT_UNPACKED as error:
        raise ResultsError(f"{where} cannot be unpacked ({one_line(str(error), 100)}): it is refused") from error
    if len(text) > LARGEST:
        raise ResultsError(f"{where} has more than {LARGEST:,} bytes: it is refused")
    try:
        return model.model_validate(_defused(json.loads(text)))
    except ValidationError as error:
        raise ResultsError(f"{where} does not fit its schema ({first_mistake(error)}): it is refused") from error
    except (ValueError, RecursionError) as error:
        raise ResultsError(f"{where} is not JSON: it is refused") from error


def _defused(value: Any) -> Any:
    """Returns the same JSON with its texts changed, so that GitHub notifies nobody and links to nothing."""
    if isinstance(value, str):
        return markdown.defused(value)
    if isinstance(value, list):
        return [_defused(item) for item in value]
    return {key: _defused(item) for key, item in value.items()} if isinstance(value, dict) else value
