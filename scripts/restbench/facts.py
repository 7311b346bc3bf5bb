"""What is true of an entry whatever the scenario: read from its environment, its lock and its files, never typed in."""

import json
import subprocess
import tempfile
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError
from uv import find_uv_bin

from restbench.catalog import Entry
from restbench.errors import EntryError, ResultsError
from restbench.results.files import write_atomically
from restbench.targets import Runtime

_TIMEOUT_SECONDS = 60

_NEWEST_PYTHON = "3.14"
"""Some packages want a new one; what old ones say about the newest allowed, uv passes over."""


class _Printed(BaseModel):
    """What the facts command of a language prints."""

    model_config = ConfigDict(extra="forbid", strict=True)

    licence: str | None
    packages: int


@dataclass(frozen=True)
class Facts:
    """None is what could not be found out; `trouble` says why, in a line each."""

    licence: str | None = None
    packages: int | None = None
    released: date | None = None
    code_lines: int | None = None
    trouble: tuple[str, ...] = ()


def collect(entry: Entry, runtime: Runtime, releases: Path) -> Facts:
    """The facts of an entry that has been built. `releases`: where dates are kept, as an index is slow to ask."""
    command, version = entry.language.manifest.facts, entry.version()
    printed, trouble = None, []
    if command is not None:
        try:
            printed = _Printed.model_validate_json(runtime.run_facts(entry, command))
        except (EntryError, ValidationError) as error:
            trouble.append(f"licence and number of packages are not known: {error}")
    date_ = released(entry.manifest.package, version, releases)
    if date_ is None and version is not None and has_dates(entry.manifest.package):
        trouble.append("the date of its release is not known: the package index did not tell")
    return Facts(
        licence=printed.licence if printed else None,
        packages=printed.packages if printed else None,
        released=date_,
        code_lines=code_lines(entry),
        trouble=tuple(trouble),
    )


def code_lines(entry: Entry) -> int | None:
    """Lines of the entry's own code that are not blank."""
    files = [path for pattern in entry.language.manifest.code for path in entry.folder.rglob(pattern)]
    return sum(bool(line.strip()) for file in files for line in file.read_text().splitlines()) or None


def has_dates(package: str) -> bool:
    """Whether there is a way to ask the package's registry for dates."""
    return package.partition(":")[0] in _REGISTRIES


def released(package: str, version: str | None, kept: Path) -> date | None:
    """When that version was published, as the index says that this machine uses. None: unknown, or no network."""
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
    """By uv, which knows the person's own index, proxy and certificates, and writes upload times into pylock.toml."""
    with tempfile.TemporaryDirectory() as folder:
        lock = Path(folder) / "pylock.toml"
        argv = [find_uv_bin(), "pip", "compile", "--quiet", "--no-deps", "--python-version", _NEWEST_PYTHON]
        argv += ["--output-file", str(lock), "-"]
        try:
            subprocess.run(
                argv, input=f"{name}=={version}\n", capture_output=True, text=True, check=True, timeout=_TIMEOUT_SECONDS
            )
        except (OSError, subprocess.SubprocessError):
            return None
        return upload_date(lock.read_text())


def upload_date(pylock: str) -> date | None:
    """The earliest upload of any file of the one package in a pylock.toml (PEP 751)."""
    (package,) = tomllib.loads(pylock)["packages"]
    files = [*package.get("wheels", []), *([package["sdist"]] if "sdist" in package else [])]
    times = [file["upload-time"] for file in files if isinstance(file.get("upload-time"), datetime)]
    return min(times).date() if times else None


_REGISTRIES: dict[str, Callable[[str, str], date | None]] = {"pypi": _pypi}
"""Registry → how to ask it for the date of a release."""


def _read(kept: Path) -> dict[str, str]:
    try:
        return {str(key): str(value) for key, value in json.loads(kept.read_bytes()).items()}
    except (OSError, ValueError, AttributeError):
        return {}
