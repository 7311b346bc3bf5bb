"""Release dates of packages. Each date is looked up once and then kept in a file."""

import json
from datetime import date
from pathlib import Path

from restbench.catalog.entry import Entry
from restbench.catalog.packages import release_date
from restbench.errors import UnwritableError
from restbench.system.files import write_atomically


def released(entry: Entry, kept: Path, target: str = "native") -> date | None:
    """When the version of the entry's package that runs on a target was published. None: unknown, or no network.

    `kept` is a file of dates that were found before. It is read first, because a package index answers slowly.
    Raises EntryError where the language's packages.py has a mistake.
    """
    version = entry.version(target)
    if version is None:
        return None
    known = _read(kept)
    key = f"{entry.manifest.package}=={version}"
    if key not in known:
        found = release_date(entry.language.folder, entry.manifest.package, version)
        if found is None:
            return None
        known = _read(kept) | {key: found.isoformat()}
        try:
            write_atomically(kept, json.dumps(known, indent=1).encode())
        except UnwritableError:
            return found  # without the file the next run looks the date up again
    return date.fromisoformat(known[key])


def _read(kept: Path) -> dict[str, str]:
    try:
        return {str(key): str(value) for key, value in json.loads(kept.read_bytes()).items()}
    except (OSError, ValueError, AttributeError):
        return {}
