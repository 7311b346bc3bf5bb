"""Debian packages on this machine: which are installed, whether this user may install others, and how."""

import os
import platform
import shutil
import subprocess
from collections.abc import Iterable
from functools import cache

REGISTRY = "debian"
"""The name of Debian's packages in manifests."""

_SECONDS = 900
"""How long apt-get may take. It downloads some hundred megabytes where all entries are wanted."""


def codename() -> str | None:
    """The code name of the release, such as "bookworm", from os-release(5). None where os-release has none."""
    try:
        return platform.freedesktop_os_release().get("VERSION_CODENAME")
    except OSError:
        return None


@cache
def installed() -> dict[str, str]:
    """Installed package → version, from dpkg. Empty where there is no dpkg."""
    argv = ["dpkg-query", "--show", "--showformat=${db:Status-Abbrev} ${Package} ${Version}\\n"]
    try:
        listed = subprocess.run(argv, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return {}
    fields = (line.split() for line in listed.splitlines() if line.startswith("ii"))
    return {name: version for _, name, version in fields}


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


def install(root: list[str], packages: Iterable[str], *, simulate: bool = False) -> str | None:
    """Installs packages, or only finds out whether apt-get would. Returns its errors, or None where it has none."""
    options = ["--yes", "-qq", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=120"]
    options += ["--simulate"] if simulate else []
    error = _ran([*root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", *options, *packages])
    forget()
    return error


def forget() -> None:
    """Forgets which packages are installed, because they may have changed."""
    installed.cache_clear()


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
