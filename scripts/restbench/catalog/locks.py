"""Versions from lock files: what was locked is what ran."""

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

from packaging.utils import canonicalize_name
from packaging.version import Version

_PINNED = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)(?:\[[^]]*\])?==(?P<version>[^\s;\\]+)")
_DEBIAN_VERSION = re.compile(r"(?:\d+:)?(?P<upstream>.+?)(?:\+(?:ds|dfsg)\d*)?(?:-[^-]+)?")
_MAVEN = "{http://maven.apache.org/POM/4.0.0}"


def locked_version(lock: Path, package: str) -> str | None:
    """The version that a lock file pins for "registry:name", or None where it has none or cannot be read."""
    read = _READERS.get(lock.name)
    try:
        return read(lock.read_text(), package.partition(":")[2]) if read else None
    except (ValueError, KeyError, ElementTree.ParseError):
        return None


def _pip(text: str, name: str) -> str | None:
    """A lock for several interpreters may pin more than one: the newest counts, as entries run on the newest one."""
    pins = (m for line in text.splitlines() if (m := _PINNED.match(line)))
    versions = [m["version"] for m in pins if canonicalize_name(m["name"]) == canonicalize_name(name)]
    return max(versions, key=Version, default=None)


def _cargo(text: str, name: str) -> str | None:
    versions = [package["version"] for package in tomllib.loads(text)["package"] if package["name"] == name]
    return max(versions, key=_precedence, default=None)


def _npm(text: str, name: str) -> str | None:
    found = json.loads(text)["packages"].get(f"node_modules/{name}")
    return str(found["version"]) if found else None


def _maven(text: str, name: str) -> str | None:
    """The version of a direct dependency "group:artifact", by way of a property where it names one."""
    pom = ElementTree.fromstring(text)  # noqa: S314 - a file of this repository
    for dependency in pom.iter(f"{_MAVEN}dependency"):
        if name == ":".join(dependency.findtext(f"{_MAVEN}{part}", "") for part in ("groupId", "artifactId")):
            version = dependency.findtext(f"{_MAVEN}version", "")
            named = re.fullmatch(r"\$\{(.+)\}", version)
            return (pom.findtext(f"{_MAVEN}properties/{_MAVEN}{named[1]}") if named else version) or None
    return None


def _debian(text: str, name: str) -> str | None:
    """The framework's own version: an epoch, a revision and a mark of repacked sources are Debian's."""
    match = _DEBIAN_VERSION.fullmatch(_pairs(text).get(name, ""))
    return match["upstream"] if match else None


def debian_packages(lock: Path) -> dict[str, str]:
    """Package → its whole Debian version, as packages.txt pins them."""
    return _pairs(lock.read_text())


def _pairs(text: str) -> dict[str, str]:
    pairs = (line.strip().partition("=") for line in text.splitlines() if "=" in line)
    return {name: version for name, _, version in pairs}


def _precedence(version: str) -> tuple[list[int], bool, list[tuple[bool, int, str]]]:
    """A key that sorts as Semantic Versioning 2.0.0 does (semver.org, 11): a pre-release is older than its release."""
    release, _, pre_release = version.partition("+")[0].partition("-")
    parts = pre_release.split(".") if pre_release else []
    identifiers = [(not part.isdigit(), int(part) if part.isdigit() else 0, part) for part in parts]
    return [int(number) for number in release.split(".")], not parts, identifiers


DEBIAN_LOCK = "packages.txt"

_READERS: dict[str, Callable[[str, str], str | None]] = {
    "requirements.txt": _pip,
    "Cargo.lock": _cargo,
    "package-lock.json": _npm,
    "pom.xml": _maven,
    DEBIAN_LOCK: _debian,
}
"""Name of a lock file → how to find a package's version in its text."""

READABLE = tuple(_READERS)
"""The names of lock files that are understood."""
