"""Debian packages on this machine: which are installed, which apt-get can install, and whether this user may do so."""

import os
import platform
import shutil
import subprocess
from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

REGISTRY = "debian"
"""The name of Debian's packages in manifests."""

_LISTS = Path("/var/lib/apt/lists")
_SECONDS = 900
"""How long apt-get may take. It downloads some hundred megabytes where all entries are wanted."""


def codename() -> str | None:
    """The code name of the release, such as "bookworm", from os-release(5). None where os-release has none."""
    try:
        return platform.freedesktop_os_release().get("VERSION_CODENAME")
    except OSError:
        return None


def name_of(package: str) -> str:
    """The name in "name=version"."""
    return package.partition("=")[0]


@cache
def installed() -> dict[str, str]:
    """Installed package → version, from dpkg. Empty where there is no dpkg."""
    listed = _said("dpkg-query", "--show", "--showformat=${db:Status-Abbrev} ${Package} ${Version}\\n")
    fields = (line.split() for line in listed.splitlines() if line.startswith("ii"))
    return {name: version for _, name, version in fields}


@cache
def versions(name: str) -> list[str]:
    """The versions of a package that apt-get can install, the newest first."""
    rows = (line.split(" | ") for line in _said("apt-cache", "madison", name).splitlines())
    return [version.strip() for _, version, source in rows if source.strip().endswith("Packages")]


def fits(version: str | None, locked: str) -> bool:
    """Whether a version is the locked one. A `*` at its end stands for any suffix, as for apt-get install."""
    return version is not None and fnmatchcase(version, locked)


def lists_are_here() -> bool:
    """Whether apt-get has its package lists. On a new machine and in most containers, update() has to fetch them."""
    return any(_LISTS.glob("*_Packages*"))


def is_offered(package: str) -> bool:
    """Whether apt-get can install a "name" or "name=version", according to its lists."""
    name, _, version = package.partition("=")
    return any(fits(each, version or "*") for each in versions(name))


def administrator() -> list[str] | None:
    """The arguments to put before a command so that it runs as root. They are empty where this user is root.

    None where this user may not run commands as root, or only with a password.
    """
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") is None:
        return None
    asked = subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False)
    return ["sudo"] if asked.returncode == 0 else None


def update(root: list[str]) -> None:
    """Fetches apt-get's package lists.

    A failure is ignored. install() then uses the old lists, and returns what is wrong.
    """
    _ran([*root, "apt-get", "update", "-qq"])
    forget()


def install(root: list[str], packages: Iterable[str]) -> str | None:
    """Installs packages. Returns apt-get's error messages, or None where all packages were installed."""
    options = ("--yes", "-qq", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=120")
    error = _ran([*root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", *options, *packages])
    forget()
    return error


def forget() -> None:
    """Clears the cached results of installed() and versions(), because packages or lists have changed."""
    installed.cache_clear()
    versions.cache_clear()


def _ran(argv: list[str]) -> str | None:
    """Runs an apt-get command. Returns its error lines where it fails, else None."""
    try:
        ran = subprocess.run(
            argv, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False, timeout=_SECONDS
        )
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    errors = [line for line in ran.stderr.splitlines() if line.startswith("E:")]
    return "\n".join(errors or [f"code {ran.returncode}"]) if ran.returncode else None


def _said(*argv: str) -> str:
    """Returns what a command prints. Empty where the command is missing or fails."""
    try:
        return subprocess.run(argv, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return ""
