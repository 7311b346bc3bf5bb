"""Maven artifacts: the version that pom.xml names, and the date when it was published."""

import re
import zipfile
from datetime import date
from pathlib import Path
from xml.etree import ElementTree

_POM = "{http://maven.apache.org/POM/4.0.0}"

_EARLIEST = date(2000, 1, 1)
"""Dates up to this one are not release dates: reproducible builds write a fixed date, such as 1980, into archives."""


def locked_version(lock: str, name: str) -> str | None:
    """Returns the version of a direct dependency "group:artifact", or None."""
    return locked_versions(lock).get(name)


def locked_versions(lock: str) -> dict[str, str]:
    """Returns the versions of all direct dependencies. Replaces a `${property}` by its value."""
    pom = ElementTree.fromstring(lock)  # noqa: S314 - a file of this repository
    found = {}
    for dependency in pom.iter(f"{_POM}dependency"):
        version = dependency.findtext(f"{_POM}version", "")
        if named := re.fullmatch(r"\$\{(.+)\}", version):
            version = pom.findtext(f"{_POM}properties/{_POM}{named[1]}", "")
        if version:
            found[":".join(dependency.findtext(f"{_POM}{part}", "") for part in ("groupId", "artifactId"))] = version
    return found


def release_date(name: str, version: str) -> date | None:
    """Returns the date of the newest file in the jar, which is as old as the release. None where that date is fixed."""
    group, _, artifact = name.partition(":")
    folder = Path.home() / ".m2/repository" / group.replace(".", "/") / artifact / version
    with zipfile.ZipFile(folder / f"{artifact}-{version}.jar") as jar:
        newest = max(date(*info.date_time[:3]) for info in jar.infolist())
    return newest if newest > _EARLIEST else None
