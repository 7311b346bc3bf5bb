"""Writes the files of the site, and only those that changed."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from restbench.system.files import write_atomically


@dataclass
class Written:
    """What the site consists of: how many files, their bytes, and the paths of those that were written."""

    files: int = 0
    size: int = 0
    changed: list[str] = field(default_factory=list)


def compact(document: Any) -> bytes:
    """The JSON of a data file."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def write_site(folder: Path, files: Iterable[tuple[str, bytes]]) -> Written:
    """Writes each file, as path and content, below the folder as it comes, so that one is in memory at a time.

    Files that the site no longer has stay, so that links to them keep working.
    """
    written = Written()
    for name, content in files:
        written.files += 1
        written.size += len(content)
        path = folder / name
        if path.is_file() and path.read_bytes() == content:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, content)
        written.changed.append(name)
    return written
