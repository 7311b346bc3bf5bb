"""Versions and dates of a language's packages. `frameworks/<language>/packages.py` has a function for each:

    locked_version(lock, name): the version of a package in the text of an entry's lock file; None where it has none
    locked_versions(lock): the versions of all packages in it, by name; several of one package with commas between them
    release_date(name, version): when that version was published; None where that is not known

`release_date` asks the user's own package manager, or reads its files. So the user's mirrors, proxies and certificates
are used, and files that were fetched for the build are not fetched again. The functions may raise the errors of reading
files and of running commands.
"""

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

FILE = "packages.py"

UNREADABLE = (OSError, ValueError, KeyError, SyntaxError)
"""Errors of reading a lock file that is missing or broken. That of a broken XML file is a SyntaxError."""


@dataclass(frozen=True)
class Packages:
    """The functions of one language."""

    locked_version: Callable[[str, str], str | None]
    locked_versions: Callable[[str], dict[str, str]]
    release_date: Callable[[str, str], date | None]


@cache
def packages_of(language: Path) -> Packages | None:
    """The functions of the language in that folder; None where it has none. Raises any error of importing them."""
    path = language / FILE
    if not path.is_file():
        return None
    spec = importlib.util.spec_from_file_location(f"restbench_packages_{language.name}", path)
    assert spec and spec.loader, f"{path} is no module"
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return Packages(module.locked_version, module.locked_versions, module.release_date)


def locked_version(language: Path, lock: Path, package: str) -> str | None:
    """The version that a lock file pins for a package "registry:name".

    None where the file pins none or cannot be read, or where the language has no packages.py.
    """
    packages = packages_of(language)
    if packages is None:
        return None
    try:
        return packages.locked_version(lock.read_text(), package.partition(":")[2])
    except UNREADABLE:
        return None


def locked_versions(language: Path, lock: Path) -> dict[str, str]:
    """The versions of all packages that a lock file pins, by name.

    Empty where the file pins none or cannot be read, or where the language has no packages.py.
    """
    packages = packages_of(language)
    if packages is None:
        return {}
    try:
        return packages.locked_versions(lock.read_text())
    except UNREADABLE:
        return {}
