"""Packages of Conan: the version that conan.lock names. The build writes the dates of releases into the facts."""

import json
import re


def locked_version(lock: str, name: str) -> str | None:
    return locked_versions(lock).get(name)


def locked_versions(lock: str) -> dict[str, str]:
    """Returns the versions of all packages, without their revisions."""
    references = [re.split("[#%]", reference)[0] for reference in json.loads(lock)["requires"]]
    return {package: version for package, _, version in (each.partition("/") for each in references)}
