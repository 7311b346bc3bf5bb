"""NuGet packages: the versions in packages.lock.json. Builds find the dates of releases in the packages."""

import json

FRAMEWORK = "Microsoft.AspNetCore.App"
"""ASP.NET Core is a part of the runtime. A lock file has the series that an app is compiled for, such as 10.0."""


def locked_version(lock: str, name: str) -> str | None:
    """Returns the version of a package in packages.lock.json, or None. For ASP.NET Core it is the series."""
    return locked_versions(lock).get(name)


def locked_versions(lock: str) -> dict[str, str]:
    """Returns the versions of all packages, and the series of ASP.NET Core. Projects of this repository have none."""
    (series, packages), *_ = json.loads(lock)["dependencies"].items()
    found = {name: package["resolved"] for name, package in packages.items() if "resolved" in package}
    return {**found, FRAMEWORK: series.removeprefix("net")}
