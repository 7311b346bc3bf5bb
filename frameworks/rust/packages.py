"""Rust crates: the version that Cargo.lock locks, and the date when it was published."""

import json
import os
import re
import tomllib
from datetime import date, datetime
from pathlib import Path


def locked_version(lock: str, name: str) -> str | None:
    """Returns the newest version of the crate in Cargo.lock, which may have several, or None."""
    return max(_locked(lock).get(name, []), key=_precedence, default=None)


def locked_versions(lock: str) -> dict[str, str]:
    """Returns the versions of all crates in Cargo.lock."""
    return {name: ", ".join(sorted(versions, key=_precedence)) for name, versions in _locked(lock).items()}


def _locked(lock: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for package in tomllib.loads(lock)["package"]:
        found.setdefault(package["name"], []).append(package["version"])
    return found


def _precedence(version: str) -> tuple[list[int], bool, list[tuple[bool, int, str]]]:
    """Returns a key that sorts as Semantic Versioning 2.0.0 (semver.org, 11): pre-releases are older than releases."""
    release, _, pre_release = version.partition("+")[0].partition("-")
    parts = pre_release.split(".") if pre_release else []
    identifiers = [(not part.isdigit(), int(part) if part.isdigit() else 0, part) for part in parts]
    return [int(number) for number in release.split(".")], not parts, identifiers


def release_date(name: str, version: str) -> date | None:
    """Returns the date from cargo's index. cargo keeps a copy of the index of each crate that it resolved."""
    home = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    for index in home.glob(f"registry/index/*/.cache/*/*/{name}"):
        if found := publication_date(index.read_bytes(), version):
            return found
    return None


def publication_date(index: bytes, version: str) -> date | None:
    """Returns the `pubtime` of a version in a crate's index, or None.

    The index has lines of JSON, with some bytes of cargo's own between them.
    """
    for line in re.findall(rb"\{[^\0\n]*\}", index):
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if entry.get("vers") == version and "pubtime" in entry:
            return datetime.fromisoformat(entry["pubtime"]).date()
    return None
