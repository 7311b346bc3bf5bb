"""Versions from lock files: what was locked is what ran."""

import re
from pathlib import Path

from packaging.utils import canonicalize_name
from packaging.version import Version

_PINNED = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)(?:\[[^]]*\])?==(?P<version>[^\s;\\]+)")


def locked_version(lock: Path, package: str) -> str | None:
    """The version that a lock file pins for "registry:name", or None where it has none or the format is unknown.

    A lock for several interpreters may pin more than one: the newest counts, as entries run on the newest interpreter.
    """
    name = package.partition(":")[2]
    if lock.name == "requirements.txt":
        pins = (m for line in lock.read_text().splitlines() if (m := _PINNED.match(line)))
        versions = [m["version"] for m in pins if canonicalize_name(m["name"]) == canonicalize_name(name)]
        return max(versions, key=Version, default=None)
    return None
