"""What a language knows of its packages: `frameworks/<language>/packages.py`, which has two functions.

    locked_version(lock, name): the version that the text of an entry's lock file has of a package; None where none
    release_date(name, version): when that was published, as the person's own package manager knows it; None where not

Mirrors, proxies and certificates stay the person's matter, and what was fetched for the build is not fetched again.
Either may raise what reading and asking raise.
"""

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

FILE = "packages.py"


@dataclass(frozen=True)
class Packages:
    """The functions of one language."""

    locked_version: Callable[[str, str], str | None]
    release_date: Callable[[str, str], date | None]


@cache
def packages_of(language: Path) -> Packages | None:
    """Those of the language in that folder; None where it has none. Raises what importing them raises."""
    path = language / FILE
    if not path.is_file():
        return None
    spec = importlib.util.spec_from_file_location(f"restbench_packages_{language.name}", path)
    assert spec and spec.loader, f"{path} is no module"
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return Packages(module.locked_version, module.release_date)


def locked_version(language: Path, lock: Path, package: str) -> str | None:
    """The version that a lock file pins for "registry:name", or None where it has none or cannot be read."""
    packages = packages_of(language)
    if packages is None:
        return None
    try:
        return packages.locked_version(lock.read_text(), package.partition(":")[2])
    except (OSError, ValueError, KeyError, SyntaxError):  # a broken XML file is a SyntaxError
        return None
