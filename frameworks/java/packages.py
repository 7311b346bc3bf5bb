"""Maven artifacts: the versions that pom.xml names."""

import re
from xml.etree import ElementTree

_POM = "{http://maven.apache.org/POM/4.0.0}"


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
