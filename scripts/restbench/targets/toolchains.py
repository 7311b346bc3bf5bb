"""Finds what a language needs on this machine: commands on PATH, and the newest Python that fits."""

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

from packaging.specifiers import SpecifierSet
from packaging.version import Version

from restbench.catalog import Entry
from restbench.catalog.locks import DEBIAN_LOCK, debian_packages
from restbench.processes import find_program

_MINORS = range(20, 7, -1)
"""Minor versions of Python 3 that are looked for, newest first."""


def python_versions_allowed(entry: Entry) -> SpecifierSet:
    """What the language and the entry together allow."""
    return SpecifierSet(entry.language.manifest.toolchain.python or "") & SpecifierSet(entry.manifest.python or "")


def find_python(allowed: SpecifierSet) -> Path | None:
    """The newest interpreter that fits: on PATH, under pyenv, or brought by uv."""
    fitting = [(version, path) for path, version in _interpreters() if allowed.contains(version)]
    return max(fitting)[1] if fitting else None


@cache
def _interpreters() -> list[tuple[Path, Version]]:
    # pyenv's shims on PATH fail for versions that are not selected, so its versions/ folder is read directly
    candidates = [Path(p) for minor in _MINORS if (p := shutil.which(f"python3.{minor}"))]
    candidates += [Path(p) for p in [shutil.which("python3")] if p]
    for parent in (Path.home() / ".pyenv/versions", Path.home() / ".local/share/uv/python"):
        candidates += sorted(parent.glob("*/bin/python3"))
    return [(path, version) for path in candidates if (version := _version(path))]


def _version(python: Path) -> Version | None:
    """The version that an interpreter says, or None for a shim or a broken one."""
    try:
        ran = subprocess.run([python, "--version"], capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    match = re.match(r"Python (3\.\d+\.\d+)$", ran.stdout.strip())
    return Version(match[1]) if match else None


def missing_tools(entry: Entry) -> str | None:
    """What this machine lacks for an entry, with how to get it, or None."""
    toolchain = entry.language.manifest.toolchain
    for command, remedy in {**toolchain.commands, **entry.manifest.commands}.items():
        if find_program(command) is None:
            return f"{command} is missing: {remedy}"
    if toolchain.python is not None:
        allowed = python_versions_allowed(entry)
        if find_python(allowed) is None:
            return f"no Python {allowed} on PATH, under pyenv or by uv: install one, such as by `uv python install`"
    if toolchain.packages or entry.language.manifest.native.lock == DEBIAN_LOCK:
        return _missing_packages(entry)
    return None


def _missing_packages(entry: Entry) -> str | None:
    """Debian packages that are not here, or not in the locked version."""
    wanted = dict.fromkeys(entry.language.manifest.toolchain.packages, "")
    if entry.language.manifest.native.lock == DEBIAN_LOCK:
        wanted |= debian_packages(entry.folder / DEBIAN_LOCK)
    here = _installed_packages()
    lacking = sorted(name for name in wanted if name not in here)
    if lacking:
        return f"{', '.join(lacking)} missing: install with: apt-get install {' '.join(lacking)}"
    for name, version in wanted.items():
        if version and here[name] != version:
            return f"{name} is {here[name]} here, and {version} is locked: install that, or lock anew in {DEBIAN_LOCK}"
    return None


@cache
def _installed_packages() -> dict[str, str]:
    """Package → version, as dpkg knows them; none where there is no dpkg."""
    argv = ["dpkg-query", "--show", "--showformat=${db:Status-Abbrev} ${Package} ${Version}\\n"]
    try:
        listed = subprocess.run(argv, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return {}
    fields = (line.split() for line in listed.splitlines() if line.startswith("ii"))
    return {name: version for _, name, version in fields}
