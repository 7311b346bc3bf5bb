"""Debian packages on this machine: which are installed, whether this user may install others, and how."""

import logging
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from restbench.system.processes import LOCALE

REGISTRY = "debian"
"""The name of Debian's packages in manifests."""

_SECONDS = 900
"""How long apt-get may take. It downloads some hundred megabytes where all entries are wanted."""

_PATIENCE = ["-qq", "-o", "DPkg::Lock::Timeout=120", "-o", "Acquire::http::Timeout=20"]
"""In seconds: for another apt-get, and for a server that sends nothing."""

_INSTALL = ["apt-get", "install", "--yes", "--no-install-recommends", *_PATIENCE]

_ENV = ["env", "DEBIAN_FRONTEND=noninteractive", *(f"{name}={value}" for name, value in LOCALE.items())]
"""The words before a command of apt. sudo hands no variables on."""

_INTERRUPTED = "dpkg --configure -a"
"""What apt-get tells to run where dpkg was ended while it installed something."""

_WOULD_INSTALL = re.compile(r"^Inst (\S+) (?:\[\S+\] )?\((\S+) ", re.MULTILINE)

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Installation:
    """What apt-get would install: the number of packages, with those that they need.

    `download`: the bytes of their archives. `disk`: those of their files. Both are 0 where apt-cache does not tell.
    """

    packages: int = 0
    download: int = 0
    disk: int = 0


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
        listed = subprocess.run(argv, capture_output=True, encoding="utf-8", check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return {}
    fields = (line.split() for line in listed.splitlines() if line.startswith("ii"))
    return {name: version for _, name, version in fields}


@cache
def known(prefix: str) -> list[str]:
    """The names of the packages in apt-get's lists that begin with the prefix. Empty where there are no lists."""
    try:
        asked = ["apt-cache", "pkgnames", prefix]
        return subprocess.run(asked, capture_output=True, encoding="utf-8", check=True).stdout.split()
    except (OSError, subprocess.SubprocessError):
        return []


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
    _ran(root, ["apt-get", "update", *_PATIENCE])


def planned(packages: Iterable[str]) -> Installation | str:
    """Returns what apt-get would install, or its errors. It takes no root."""
    try:
        told = subprocess.run(
            [*_ENV, *_INSTALL, "--simulate", *packages],
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=_SECONDS,
        )
        if told.returncode:
            return _errors(told.stderr, told.returncode)
        versions = [f"{name}={version}" for name, version in _WOULD_INSTALL.findall(told.stdout)]
        show = [*_ENV, "apt-cache", "show", *versions]
        shown = subprocess.run(show, capture_output=True, encoding="utf-8", check=False).stdout
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    download, disk = (
        sum(map(int, re.findall(rf"^{size}: (\d+)$", shown, re.MULTILINE))) for size in ("Size", "Installed-Size")
    )
    return Installation(len(versions), download, 1024 * disk)


def install(root: list[str], packages: Iterable[str]) -> str | None:
    """Installs packages. Returns apt-get's errors, or None where it has none.

    First finishes what dpkg left where it was interrupted.
    """
    asked = [*_INSTALL, *packages]
    error = _ran(root, asked)
    if error and _INTERRUPTED in error:
        log.warning(f"dpkg was interrupted earlier, and finishes that first: {_INTERRUPTED}")
        error = _ran(root, _INTERRUPTED.split()) or _ran(root, asked)
    forget()
    return error


def forget() -> None:
    """Forgets which packages are installed and known, because they may have changed."""
    installed.cache_clear()
    known.cache_clear()


def _ran(root: list[str], argv: list[str]) -> str | None:
    """Runs a command of apt or dpkg as root. Returns its error lines where it fails, else None.

    Ctrl-C does not reach the command, so that dpkg is not ended while it unpacks a package. apt-get is asked to stop in
    its place: it does so at once where it downloads, or else when dpkg is done with its package.
    """
    whole = [*root, *_ENV, *argv]
    pipe = subprocess.PIPE
    try:
        process = subprocess.Popen(
            whole, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, encoding="utf-8", start_new_session=True
        )
        try:
            _, said = process.communicate(timeout=_SECONDS)
        except BaseException:
            log.warning(f"waiting until {argv[0]} has stopped")
            # only root may end what sudo runs
            subprocess.run([*root, "sh", "-c", f"kill -s INT -- -{process.pid}"], capture_output=True, check=False)
            process.communicate()
            raise
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    return _errors(said, process.returncode) if process.returncode else None


def _errors(said: str, code: int) -> str:
    """Returns the first error of a command that failed with that code, and how many more it printed."""
    if "No space left on device" in said:
        return "E: no space is left on the disk: make room"
    first, *more = [line for line in said.splitlines() if line.startswith("E:")] or [f"code {code}"]
    return f"{first} (and {len(more)} more)" if more else first
