"""Packages of Debian: the versions that a lock of lines "package=version" names, and when Debian first had one."""

import gzip
import re
from datetime import date
from email.utils import parsedate_to_datetime
from pathlib import Path

_DOCUMENTATION = Path("/usr/share/doc")

_VERSION = re.compile(r"(?:\d+:)?(?P<upstream>.+?)(?:\+(?:ds|dfsg)\d*)?(?:-[^-]+)?")


def locked_version(lock: str, name: str) -> str | None:
    """Returns the framework's own version, without Debian's epoch, revision and suffix for repacked sources."""
    match = _VERSION.fullmatch(locked_versions(lock).get(name, "").removesuffix("*"))
    return match["upstream"] if match else None


def locked_versions(lock: str) -> dict[str, str]:
    """Returns package → its whole version, with a `*` in the place of the suffix of updates (`scripts/lock-debian`)."""
    pairs = (line.strip().partition("=") for line in lock.splitlines() if "=" in line)
    return {name: version for name, _, version in pairs}


def release_date(name: str, version: str) -> date | None:
    """Returns the date from the changelog of the installed package, or None where the changelog lacks the version."""
    text = gzip.decompress((_DOCUMENTATION / name / "changelog.Debian.gz").read_bytes()).decode()
    return packaged_date(text, version)


def packaged_date(changelog: str, version: str) -> date | None:
    """Returns the date of the changelog's oldest entry with that upstream version (Debian Policy, 4.4), or None."""
    dates: list[date] = []
    current = ""
    for line in changelog.splitlines():
        if heading := re.match(r"\S+ \((?:\d+:)?([^)]+)\)", line):
            current = heading[1]
        elif (trailer := re.match(r" -- .*>  (.+)", line)) and current.startswith(version):
            dates.append(parsedate_to_datetime(trailer[1]).date())
    return min(dates, default=None)


def licence_file(name: str) -> str:
    """Returns the path of the file with the licences of an installed package. Slim images have it too."""
    return f"{_DOCUMENTATION}/{name}/copyright"


def licence_of(copyright_file: str) -> str | None:
    """Returns the licence of most files of a package, as SPDX writes it (machine-readable debian/copyright, DEP-5).

    None where the file is not machine-readable.
    """
    paragraph = re.search(r"^Files: \*$.*?^License: (\S.*?)$", copyright_file, re.MULTILINE | re.DOTALL)
    return _SPDX.get(paragraph[1], paragraph[1]) if paragraph else None


_SPDX = {
    "Expat": "MIT",
    "BSD-3-clause": "BSD-3-Clause",
    "BSD-2-clause": "BSD-2-Clause",
    "Artistic": "Artistic-1.0-Perl",
}
"""Debian's short name of a licence → that of SPDX, where they differ."""
