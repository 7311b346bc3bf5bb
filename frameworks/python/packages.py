"""PyPI packages: the versions that requirements.txt locks."""

import re

from packaging.utils import canonicalize_name
from packaging.version import Version

_PINNED = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)(?:\[[^]]*\])?==(?P<version>[^\s;\\]+)")


def locked_version(lock: str, name: str) -> str | None:
    """Returns the version that a lock pins, or None.

    A lock for several interpreters may pin several versions. The newest counts, because entries run on the newest
    interpreter.
    """
    return max(_pins(lock).get(canonicalize_name(name), []), key=Version, default=None)


def locked_versions(lock: str) -> dict[str, str]:
    """Returns the versions of all packages that a lock pins."""
    return {name: ", ".join(sorted(versions, key=Version)) for name, versions in _pins(lock).items()}


def _pins(lock: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for line in lock.splitlines():
        if match := _PINNED.match(line):
            found.setdefault(canonicalize_name(match["name"]), set()).add(match["version"])
    return found
