"""Packages of Debian, and of Conan: the upstream version that a lock names, and the date when Debian first had it.

Conan's lock files are JSON; the build writes their dates of releases into the facts.
"""

import gzip
import json
import re
from datetime import date
from email.utils import parsedate_to_datetime
from pathlib import Path

_DEBIAN_VERSION = re.compile(r"(?:\d+:)?(?P<upstream>.+?)(?:\+(?:ds|dfsg)\d*)?(?:-[^-]+)?")


def locked_version(lock: str, name: str) -> str | None:
    """Returns the framework's own version, without Debian's epoch, revision and suffix for repacked sources."""
    version = locked_versions(lock).get(name, "")
    if _is_of_conan(lock):
        return version or None
    match = _DEBIAN_VERSION.fullmatch(version)
    return match["upstream"] if match else None


def locked_versions(lock: str) -> dict[str, str]:
    """Returns the versions of all packages that a lock names: Debian's own, or Conan's without their revisions."""
    if _is_of_conan(lock):
        references = [re.split("[#%]", reference)[0] for reference in json.loads(lock)["requires"]]
        return {package: version for package, _, version in (each.partition("/") for each in references)}
    pairs = (line.strip().partition("=") for line in lock.splitlines() if "=" in line)
    return {package: version for package, _, version in pairs}


def _is_of_conan(lock: str) -> bool:
    return lock.lstrip().startswith("{")


def release_date(name: str, version: str) -> date | None:
    """Returns the date from the changelog of the installed package, or None where the changelog lacks the version."""
    text = gzip.decompress((Path("/usr/share/doc") / name / "changelog.Debian.gz").read_bytes()).decode()
    return packaged_date(text, version)


def packaged_date(changelog: str, version: str) -> date | None:
    """Returns the date of the changelog's oldest entry with that upstream version (Debian Policy, 4.4), or None."""
    dates: list[date] = []
    current = ""
    for line in changelog.splitlines():
        if heading := re.match(r"\S+ \((?:\d+:)?([^)]+)\)", line):
            current = heading[1]
        elif (trailer := re.match(r" -- .*>  (.+)", line)) and current.startswith(version):
            dates.append(parsedate_to_datetime(trailer[1]).date())
    return min(dates, default=None)
