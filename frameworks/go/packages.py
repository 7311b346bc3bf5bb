"""Go's modules: the version that go.mod requires, and when it was published."""

import json
import re
import subprocess
from datetime import date, datetime


def locked_version(lock: str, name: str) -> str | None:
    """That of a module; of `std`, the standard library, that of the toolchain or, without one, of the language."""
    if name == "std":
        found = re.search(r"^toolchain go(\S+)", lock, re.MULTILINE) or re.search(r"^go (\S+)", lock, re.MULTILINE)
    else:
        found = re.search(rf"^(?:require)?\s+{re.escape(name)} v(\S+)", lock, re.MULTILINE)
    return found[1] if found else None


def release_date(name: str, version: str) -> date | None:
    """By go, which asks the proxy that it is set up for. It knows no date of the standard library."""
    if name == "std":
        return None
    argv = ["go", "list", "-m", "-json", f"{name}@v{version}"]
    said = subprocess.run(argv, capture_output=True, text=True, check=True, timeout=60).stdout
    time = json.loads(said).get("Time")
    return datetime.fromisoformat(time).date() if time else None
