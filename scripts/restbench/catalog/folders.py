"""Entries in folders of their own, outside of the checkout.

Such a folder is copied to where it has what its language shares beside it, as an entry of the checkout has. So paths in
it lead to the same files, natively and in an image. Nothing is written into the folder itself.
"""

import filecmp
import os
import shutil
from pathlib import Path

from restbench.catalog.entry import Language
from restbench.errors import UnwritableError, UsageError

MANIFEST = "framework.toml"

NO_ENTRIES = ("shared", "template")
"""Folders of a language that are not entries: code that entries share, and the template of `restbench new`."""

LEFT_BEHIND = ("__pycache__", "node_modules", "target")
"""Folders that tools write into an entry and that git ignores.

They stay when git switches to a branch without the entry.
"""


def is_ignored(folder: Path) -> bool:
    """Whether a folder has no files of an entry."""
    return folder.name.startswith(".") or folder.name in LEFT_BEHIND


def expanded(name: str) -> Path:
    """Returns the path that a name means. A ~ stays where there is no such home; Path.expanduser would raise."""
    return Path(os.path.expanduser(name))  # noqa: PTH111


def folder_named(name: str) -> Path | None:
    """Returns the folder that a name leads to, and None for the name or the pattern of entries.

    Raises UsageError for a path without a manifest.
    """
    path = expanded(name)
    if (path / MANIFEST).is_file():
        return path.resolve()
    if name.startswith((".", "/", "~")):
        raise UsageError(f"there is no {path / MANIFEST}: name the folder of an entry")
    return None


def copied(folder: Path, language: Language, code_from: str | None, parent: Path) -> Path:
    """Copies the folder of an entry, and what it shares, to `parent`/<language>/. Returns the copy.

    `code_from`: the entry of the language whose code it runs. Raises UnwritableError where it cannot be copied.
    """
    place = parent / language.name
    shared = [path for path in language.folder.iterdir() if path.is_file() or path.name in ("shared", code_from)]
    try:
        for path in (*shared, folder):
            _mirror(path, place / path.name)
    except OSError as error:
        raise UnwritableError(
            f"{folder} cannot be copied to {place} ({error.strerror}): make room and try again"
        ) from error
    return place / folder.name


def _mirror(source: Path, copy: Path) -> None:
    """Makes the copy the same as a file or folder. It leaves what is the same, as an app may run from it."""
    if source.is_file():
        there = copy.is_file() and source.stat().st_mode == copy.stat().st_mode and filecmp.cmp(source, copy)
        if not there:
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, copy)
        return
    copy.mkdir(parents=True, exist_ok=True)
    paths = [path for path in source.iterdir() if path.is_file() or (path.is_dir() and not is_ignored(path))]
    for old in copy.iterdir():
        if old.name not in {path.name for path in paths} and not (old.is_dir() and is_ignored(old)):
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    for path in paths:
        if not source.is_relative_to(path.resolve()):  # a link to a folder above would have no end
            _mirror(path, copy / path.name)
