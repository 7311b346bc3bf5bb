"""When a version of a package was published, as the person's own package managers know it: mirrors, proxies and
certificates stay their matter, and what was fetched for the build is not fetched again."""

import gzip
import json
import os
import re
import subprocess
import tempfile
import tomllib
import zipfile
from collections.abc import Callable
from datetime import date, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path

from uv import find_uv_bin

from restbench.errors import ResultsError
from restbench.system.files import write_atomically

_TIMEOUT_SECONDS = 60

_NEWEST_PYTHON = "3.14"
"""Some packages want a new one; what old ones say about the newest allowed, uv passes over."""

_EARLIEST = date(2000, 1, 1)
"""Builds that are to be the same each time write a fixed date into their archives, such as 1980."""


def has_dates(package: str) -> bool:
    """Whether there is a way to ask the package's registry for dates."""
    return package.partition(":")[0] in _REGISTRIES


def released(package: str, version: str | None, kept: Path) -> date | None:
    """When that version of "registry:name" was published. None: unknown, or no network.

    `kept` is a file of dates found before: an index is slow to ask.
    """
    registry, _, name = package.partition(":")
    ask = _REGISTRIES.get(registry)
    if ask is None or version is None:
        return None
    known = _read(kept)
    key = f"{package}=={version}"
    if key not in known:
        found = ask(name, version)
        if found is None:
            return None
        known = _read(kept) | {key: found.isoformat()}
        try:
            write_atomically(kept, json.dumps(known, indent=1).encode())
        except ResultsError:
            return found  # it only saves the next run from asking
    return date.fromisoformat(known[key])


def _pypi(name: str, version: str) -> date | None:
    """By uv, which writes upload times into pylock.toml."""
    with tempfile.TemporaryDirectory() as folder:
        lock = Path(folder) / "pylock.toml"
        argv = [find_uv_bin(), "pip", "compile", "--quiet", "--no-deps", "--python-version", _NEWEST_PYTHON]
        said = _said([*argv, "--output-file", str(lock), "-"], f"{name}=={version}\n")
        return None if said is None else upload_date(lock.read_text())


def upload_date(pylock: str) -> date | None:
    """The earliest upload of any file of the one package in a pylock.toml (PEP 751)."""
    (package,) = tomllib.loads(pylock)["packages"]
    files = [*package.get("wheels", []), *([package["sdist"]] if "sdist" in package else [])]
    times = [file["upload-time"] for file in files if isinstance(file.get("upload-time"), datetime)]
    return min(times).date() if times else None


def _crates(name: str, version: str) -> date | None:
    """From the copy of the index that cargo keeps of every crate that it resolved."""
    home = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    for index in home.glob(f"registry/index/*/.cache/*/*/{name}"):
        if found := publication_date(index.read_bytes(), version):
            return found
    return None


def publication_date(index: bytes, version: str) -> date | None:
    """`pubtime` of a version in a crate's index: its JSON lines, with some bytes of cargo's own between them."""
    for line in re.findall(rb"\{[^\0\n]*\}", index):
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if entry.get("vers") == version and "pubtime" in entry:
            return datetime.fromisoformat(entry["pubtime"]).date()
    return None


def _npm(name: str, version: str) -> date | None:
    said = _said(["npm", "view", name, "time", "--json"])
    try:
        return datetime.fromisoformat(json.loads(said or "{}")[version]).date()
    except (ValueError, KeyError):
        return None


def _maven(name: str, version: str) -> date | None:
    """The newest file in the jar, which is as old as the release."""
    group, _, artifact = name.partition(":")
    folder = Path.home() / ".m2/repository" / group.replace(".", "/") / artifact / version
    try:
        with zipfile.ZipFile(folder / f"{artifact}-{version}.jar") as jar:
            newest = max(date(*info.date_time[:3]) for info in jar.infolist())
    except (OSError, ValueError, zipfile.BadZipFile):
        return None
    return newest if newest > _EARLIEST else None


def _debian(name: str, version: str) -> date | None:
    """When Debian first had that version, by the changelog that each package brings."""
    try:
        text = gzip.decompress((Path("/usr/share/doc") / name / "changelog.Debian.gz").read_bytes()).decode()
    except (OSError, ValueError):
        return None
    return packaged_date(text, version)


def packaged_date(changelog: str, version: str) -> date | None:
    """The date of the oldest entry with that upstream version (Debian Policy, 4.4)."""
    dates: list[date] = []
    current = ""
    for line in changelog.splitlines():
        if heading := re.match(r"\S+ \((?:\d+:)?([^)]+)\)", line):
            current = heading[1]
        elif (trailer := re.match(r" -- .*>  (.+)", line)) and current.startswith(version):
            dates.append(parsedate_to_datetime(trailer[1]).date())
    return min(dates, default=None)


_REGISTRIES: dict[str, Callable[[str, str], date | None]] = {
    "pypi": _pypi,
    "crates": _crates,
    "npm": _npm,
    "maven": _maven,
    "debian": _debian,
}
"""Registry → how to ask it for the date of a release."""


def _said(argv: list[str], asked: str = "") -> str | None:
    """What a command prints, or None where it fails."""
    try:
        ran = subprocess.run(argv, input=asked, capture_output=True, text=True, check=True, timeout=_TIMEOUT_SECONDS)
    except (OSError, subprocess.SubprocessError):
        return None
    return ran.stdout


def _read(kept: Path) -> dict[str, str]:
    try:
        return {str(key): str(value) for key, value in json.loads(kept.read_bytes()).items()}
    except (OSError, ValueError, AttributeError):
        return {}
