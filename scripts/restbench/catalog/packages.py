"""Versions and dates of packages: what a lock file pins, and when that was published.

Packages of Debian are the same in every language (`catalog.debian_packages`). For those of other registries,
`frameworks/<language>/packages.py` has a function for each:

    locked_version(lock, name): the version of a package in the text of an entry's lock file; None where it has none
    locked_versions(lock): the versions of all packages in it, by name; several of one package with commas between them
    release_date(name, version): when that version was published; None where that is not known. It may be left out
      where builds write the date into the facts

`release_date` asks the user's own package manager, or reads its files. So the user's mirrors, proxies and certificates
are used, and files that were fetched for the build are not fetched again. The functions may raise the errors of reading
files and of running commands.
"""

import importlib.util
import subprocess
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from restbench.catalog import debian_packages
from restbench.errors import EntryError
from restbench.system import debian

FILE = "packages.py"

UNREADABLE = (OSError, ValueError, KeyError, SyntaxError)
"""Errors of reading a lock file that is missing or broken. That of a broken XML file is a SyntaxError."""

NO_DATE = (OSError, ValueError, KeyError, subprocess.SubprocessError, zipfile.BadZipFile)
"""Errors of looking up a date where a package index does not answer, or where a file is missing or broken."""


@dataclass(frozen=True)
class Packages:
    """The functions for one registry."""

    locked_version: Callable[[str, str], str | None]
    locked_versions: Callable[[str], dict[str, str]]
    release_date: Callable[[str, str], date | None]


_OF_DEBIAN = Packages(debian_packages.locked_version, debian_packages.locked_versions, debian_packages.release_date)


def packages_of(language: Path, registry: str) -> Packages | None:
    """The functions for a registry of the language in that folder; None where it has none.

    Raises any error of importing its module.
    """
    return _OF_DEBIAN if registry == debian.REGISTRY else _own(language)


@cache
def _own(language: Path) -> Packages | None:
    path = language / FILE
    if not path.is_file():
        return None
    spec = importlib.util.spec_from_file_location(f"restbench_packages_{language.name}", path)
    assert spec and spec.loader, f"{path} is no module"
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name in ("locked_version", "locked_versions"):
        if not callable(getattr(module, name, None)):
            raise ValueError(f"it has no function {name}")
    release_date = getattr(module, "release_date", lambda _name, _version: None)
    return Packages(module.locked_version, module.locked_versions, release_date)


def locked_version(language: Path, lock: Path, package: str) -> str | None:
    """The version that a lock file pins for a package "registry:name".

    None where the file pins none or cannot be read, or where the language has no packages.py. Raises EntryError where
    packages.py has a mistake.
    """
    registry, _, name = package.partition(":")
    found: str | None = _called(
        language,
        registry,
        "locked_version",
        lambda own: own.locked_version(lock.read_text(encoding="utf-8"), name),
        str,
        UNREADABLE,
    )
    return found


def locked_versions(language: Path, lock: Path, registry: str) -> dict[str, str]:
    """The versions of all packages of a registry that a lock file pins, by name.

    Empty where the file pins none or cannot be read, or where the language has no packages.py. Raises EntryError where
    packages.py has a mistake.
    """
    found: dict[str, str] | None = _called(
        language,
        registry,
        "locked_versions",
        lambda own: own.locked_versions(lock.read_text(encoding="utf-8")),
        dict,
        UNREADABLE,
    )
    return found or {}


def release_date(language: Path, package: str, version: str) -> date | None:
    """When a version of a package "registry:name" was published. None where that is not known.

    Raises EntryError where packages.py has a mistake.
    """
    registry, _, name = package.partition(":")
    found: date | None = _called(
        language, registry, "release_date", lambda own: own.release_date(name, version), date, NO_DATE
    )
    return found


def _called(
    language: Path,
    registry: str,
    name: str,
    call: Callable[[Packages], Any],
    kind: type[Any],
    allowed: tuple[type[Exception], ...],
) -> Any:
    """Calls a function for a registry. Returns None where there is none, and where it raises an allowed error.

    Raises EntryError for any other error, and for a result of another kind.
    """
    packages = packages_of(language, registry)
    if packages is None:
        return None
    try:
        found = call(packages)
    except allowed:
        return None
    except Exception as error:  # the module belongs to the language and may fail in any way
        raise EntryError(f"{FILE}: {name} fails ({type(error).__name__}: {error}); correct it") from error
    if not isinstance(found, kind | None):
        raise EntryError(f"{FILE}: {name} returns {found!r}, which is no {kind.__name__}; correct it")
    return found
