"""PyPI packages: the version that requirements.txt locks, and the date when it was published."""

import re
import subprocess
import tempfile
import tomllib
from datetime import date, datetime
from pathlib import Path

from packaging.utils import canonicalize_name
from packaging.version import Version
from uv import find_uv_bin

_PINNED = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)(?:\[[^]]*\])?==(?P<version>[^\s;\\]+)")

_NEWEST_PYTHON = "3.14"
"""The interpreter for which uv looks up a package. Some packages need a new one. uv ignores the newest Python that an
old package allows."""


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


def release_date(name: str, version: str) -> date | None:
    """Returns the date of the upload, which uv writes into pylock.toml."""
    with tempfile.TemporaryDirectory() as folder:
        lock = Path(folder) / "pylock.toml"
        argv = [find_uv_bin(), "pip", "compile", "--quiet", "--no-deps", "--python-version", _NEWEST_PYTHON]
        argv += ["--output-file", str(lock), "-"]
        subprocess.run(argv, input=f"{name}=={version}\n", capture_output=True, text=True, check=True, timeout=20)
        return upload_date(lock.read_text())


def upload_date(pylock: str) -> date | None:
    """Returns the date of the earliest upload of a file of the only package in a pylock.toml (PEP 751), or None."""
    (package,) = tomllib.loads(pylock)["packages"]
    files = [*package.get("wheels", []), *([package["sdist"]] if "sdist" in package else [])]
    times = [file["upload-time"] for file in files if isinstance(file.get("upload-time"), datetime)]
    return min(times).date() if times else None
