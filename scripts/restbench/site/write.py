"""Writes the files of the site, and only those that changed."""

from collections.abc import Mapping
from pathlib import Path

from restbench.system.files import write_atomically


def write_site(folder: Path, files: Mapping[str, bytes]) -> list[str]:
    """Writes the files below the folder. Returns the paths of those that it wrote.

    Files that the site no longer has stay, so that links to them keep working.
    """
    written = []
    for name, content in files.items():
        path = folder / name
        if path.is_file() and path.read_bytes() == content:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, content)
        written.append(name)
    return written
