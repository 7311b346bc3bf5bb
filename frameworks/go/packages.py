"""Go modules: the version that go.mod requires, and the date when it was published."""

import json
import re
import subprocess
from datetime import date, datetime


def locked_version(lock: str, name: str) -> str | None:
    """Returns the version of a module, or None where go.mod does not have it.

    For `std`, the standard library, it is the version of the toolchain, or of the language where no toolchain is named.
    """
    if name == "std":
        found = re.search(r"^toolchain go(\S+)", lock, re.MULTILINE) or re.search(r"^go (\S+)", lock, re.MULTILINE)
    else:
        found = re.search(rf"^(?:require)?\s+{re.escape(name)} v(\S+)", lock, re.MULTILINE)
    return found[1] if found else None


def locked_versions(lock: str) -> dict[str, str]:
    """Returns the versions of all modules that go.mod requires, and that of Go."""
    versions = dict(re.findall(r"^(?:require)?\s+(\S+) v(\S+)", lock, re.MULTILINE))
    go = locked_version(lock, "std")
    return versions | ({"go": go} if go else {})


def release_date(name: str, version: str) -> date | None:
    """Returns the date that go gets from its configured module proxy, or None for the standard library."""
    if name == "std":
        return None
    argv = ["go", "list", "-m", "-json", f"{name}@v{version}"]
    said = subprocess.run(argv, capture_output=True, text=True, check=True, timeout=20).stdout
    time = json.loads(said).get("Time")
    return datetime.fromisoformat(time).date() if time else None
