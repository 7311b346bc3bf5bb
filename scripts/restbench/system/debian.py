"""Debian's packages on this machine: which are installed, which apt-get could bring, and whether this user may."""

import os
import platform
import shutil
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path

REGISTRY = "debian"
"""How manifests call Debian's packages."""

_LISTS = Path("/var/lib/apt/lists")
_SECONDS = 900
"""How long apt-get may take: it fetches some hundred megabytes where all entries are wanted."""


def codename() -> str | None:
    """The release, such as "bookworm", as os-release(5) has it; None where that says nothing."""
    try:
        return platform.freedesktop_os_release().get("VERSION_CODENAME")
    except OSError:
        return None


def name_of(package: str) -> str:
    """The name in "name=version"."""
    return package.partition("=")[0]


@cache
def installed() -> dict[str, str]:
    """Package → version, as dpkg knows them; none where there is no dpkg."""
    listed = _said("dpkg-query", "--show", "--showformat=${db:Status-Abbrev} ${Package} ${Version}\\n")
    fields = (line.split() for line in listed.splitlines() if line.startswith("ii"))
    return {name: version for _, name, version in fields}


@cache
def versions(name: str) -> list[str]:
    """The versions of a package that apt-get can bring, the newest first."""
    rows = (line.split(" | ") for line in _said("apt-cache", "madison", name).splitlines())
    return [version.strip() for _, version, source in rows if source.strip().endswith("Packages")]


def lists_are_here() -> bool:
    """Whether apt-get knows what there is: on a new machine and in most containers it has to be told to look first."""
    return any(_LISTS.glob("*_Packages*"))


def is_offered(package: str) -> bool:
    """Whether apt-get can bring a "name" or "name=version", as far as its lists know."""
    name, _, version = package.partition("=")
    return version in versions(name) if version else bool(versions(name))


def administrator() -> list[str] | None:
    """The words that run a command as root, none where this user is root; None where it may not."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") is None:
        return None
    asked = subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False)
    return ["sudo"] if asked.returncode == 0 else None


def update(root: list[str]) -> None:
    """Fetches apt-get's lists. Where that fails, the lists that are here have to do: install() says what is wrong."""
    _ran([*root, "apt-get", "update", "-qq"])
    forget()


def install(root: list[str], packages: Iterable[str]) -> str | None:
    """Installs packages. Returns what apt-get says is wrong, None where all went well."""
    options = ("--yes", "-qq", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=120")
    trouble = _ran([*root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", *options, *packages])
    forget()
    return trouble


def forget() -> None:
    """What was read of the machine is out of date."""
    installed.cache_clear()
    versions.cache_clear()


def _ran(argv: list[str]) -> str | None:
    """Runs a command of apt-get's. Returns its lines about errors where it fails, else None."""
    try:
        ran = subprocess.run(
            argv, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False, timeout=_SECONDS
        )
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    errors = [line for line in ran.stderr.splitlines() if line.startswith("E:")]
    return "\n".join(errors or [f"code {ran.returncode}"]) if ran.returncode else None


def _said(*argv: str) -> str:
    """What a command prints, nothing where it is missing or fails."""
    try:
        return subprocess.run(argv, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return ""


def locked(lock: Path) -> dict[str, str]:
    """Package → its whole Debian version, from a file of lines "package=version"."""
    pairs = (line.strip().partition("=") for line in lock.read_text().splitlines() if "=" in line)
    return {name: version for name, _, version in pairs}
