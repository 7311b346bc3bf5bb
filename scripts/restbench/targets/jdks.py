"""Finds the JDKs on this machine, and chooses the one that an entry gets natively."""

import os
import re
import shutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from packaging.specifiers import SpecifierSet
from packaging.version import Version

from restbench.system.processes import homes

_PLACES = ("/usr/lib/jvm", "/usr/lib64/jvm", "/usr/java", "/opt", "/opt/java")
"""Folders in which distributions, vendors' packages and images of containers put a JDK each into a folder."""

_PLACES_AT_HOME = (".sdkman/candidates/java", ".jdks", ".local/share/mise/installs/java", ".asdf/installs/java")
"""The same in a user's home: of SDKMAN!, IntelliJ IDEA, mise and asdf."""

_PROGRAMS = ("java", "javac", "jar")
"""What a build needs of a JDK. A runtime, such as Debian's default-jre-headless, has only the first."""


@dataclass(frozen=True)
class Jdk:
    """`home`: its JAVA_HOME."""

    home: Path
    version: Version


def choose(allowed: SpecifierSet) -> Jdk | None:
    """Returns the newest JDK that fits, or None where none fits."""
    fitting = [each for each in found() if allowed.contains(each.version)]
    return max(fitting, key=lambda each: each.version, default=None)


@cache
def found() -> list[Jdk]:
    """Returns the JDKs of JAVA_HOME, of PATH, and of the places where packages and version managers put them."""
    homes_of_jdks = [Path(named) for named in [os.environ.get("JAVA_HOME")] if named]
    homes_of_jdks += [Path(javac).resolve().parents[1] for javac in [shutil.which("javac")] if javac]
    places = [Path(place) for place in _PLACES] + [home / place for home in homes() for place in _PLACES_AT_HOME]
    for place in places:
        homes_of_jdks += sorted(place.glob("*/"))
    # names are resolved, because one JDK by two names would cause environments to be built again
    real = dict.fromkeys(path.resolve() for path in homes_of_jdks)
    return [jdk for home in real if (jdk := _describe(home))]


def forget() -> None:
    """Forgets what was found on this machine, because it may have changed."""
    found.cache_clear()


def _describe(home: Path) -> Jdk | None:
    """Reads a JDK's file `release`. Returns None for a runtime without compiler, and for a JDK before its release."""
    if not all(os.access(home / "bin" / program, os.X_OK) for program in _PROGRAMS):
        return None
    try:
        told = (home / "release").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    version = re.search(r'^JAVA_VERSION="(\d+(?:\.\d+)*)"$', told, re.MULTILINE)
    early = re.search(r'^JAVA_RUNTIME_VERSION="[^"]*-ea\b', told, re.MULTILINE)
    return Jdk(home, Version(version[1])) if version and not early else None
