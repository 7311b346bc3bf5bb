"""npm packages: the version that package-lock.json locks, and the date when it was published."""

import json
import subprocess
from datetime import date, datetime


def locked_version(lock: str, name: str) -> str | None:
    found = json.loads(lock)["packages"].get(f"node_modules/{name}")
    return str(found["version"]) if found else None


def locked_versions(lock: str) -> dict[str, str]:
    """Returns the versions of all packages in package-lock.json. Packages may be there in several versions."""
    found: dict[str, set[str]] = {}
    for path, package in json.loads(lock)["packages"].items():
        if path:  # the entry's own package has no path
            found.setdefault(path.rpartition("node_modules/")[2], set()).add(str(package["version"]))
    return {name: ", ".join(sorted(versions)) for name, versions in found.items()}


def release_date(name: str, version: str) -> date | None:
    """Returns the date that npm has for the version, or None."""
    argv = ["npm", "view", name, "time", "--json"]
    said = subprocess.run(argv, capture_output=True, text=True, check=True, timeout=20).stdout
    time = json.loads(said).get(version)
    return datetime.fromisoformat(time).date() if time else None
