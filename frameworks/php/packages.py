"""Packages of Composer: the versions in composer.lock. Builds find the dates of releases in the packages."""

import json


def locked_version(lock: str, name: str) -> str | None:
    """Returns the version of a package in composer.lock, or None."""
    return locked_versions(lock).get(name)


def locked_versions(lock: str) -> dict[str, str]:
    """Returns the versions of all packages that an app runs with. Tags may begin with a v."""
    return {package["name"]: package["version"].removeprefix("v") for package in json.loads(lock)["packages"]}
