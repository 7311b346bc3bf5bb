"""Release dates of packages. Each date is looked up once and then kept in a file."""

import json
import subprocess
import zipfile
from datetime import date
from pathlib import Path

from restbench.catalog.entry import Entry
from restbench.catalog.packages import packages_of
from restbench.errors import UnwritableError
from restbench.system.files import write_atomically


def has_dates(entry: Entry) -> bool:
    """Whether the entry's language has a way to look up release dates."""
    return packages_of(entry.language.folder) is not None


def released(entry: Entry, kept: Path, target: str = "native") -> date | None:
    """When the version of the entry's package that runs on a target was published. None: unknown, or no network.

    `kept` is a file of dates that were found before. It is read first, because a package index answers slowly.
    """
    packages, version = packages_of(entry.language.folder), entry.version(target)
    if packages is None or version is None:
        return None
    known = _read(kept)
    key = f"{entry.manifest.package}=={version}"
    if key not in known:
        try:
            found = packages.release_date(entry.manifest.package.partition(":")[2], version)
        except (OSError, ValueError, KeyError, subprocess.SubprocessError, zipfile.BadZipFile):
            found = None
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
