"""What tests need: `@pytest.mark.needs("oha", "python/squall")` skips a test on a machine that lacks one of these.

Every program that a test runs is named here, but for those of minimal_debian.txt, which every machine has. The reason
says how to get what is missing. It is printed once for all tests that have it.
"""

import os
import pwd
import shutil
import socket
from collections.abc import Callable
from functools import cache
from pathlib import Path

from restbench.backends.native import solr_tools
from restbench.catalog import load_catalog
from restbench.containers.engine import docker_unavailable_reason, elsewhere_reason
from restbench.loadgen import OHA, WRK
from restbench.system.processes import search_path
from restbench.system.repository import find_repository
from restbench.targets.links import native_link_unavailable_reason
from restbench.targets.toolchains import describe, tools_unavailable_reason


def tool_path() -> str:
    """Returns PATH with the folders into which `go install` and `cargo install` put programs."""
    go = Path(os.environ.get("GOBIN") or Path(os.environ.get("GOPATH") or Path.home() / "go") / "bin")
    return os.pathsep.join([str(go), search_path()])


def _docker() -> str | None:
    trouble = docker_unavailable_reason()
    return f"no Docker engine answers ({trouble}): install and start one" if trouble else elsewhere_reason()


def _program(name: str, remedy: str) -> str | None:
    return None if shutil.which(name, path=tool_path()) else f"{name} is missing: {remedy}"


def _first_lacking(command: str, *names: str) -> str | None:
    return next(filter(None, (_program(name, f"install it with: {command}") for name in names)), None)


def chromium() -> str | None:
    """The path of the browser, under one of the names that distributions give it."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((path for name in names if (path := shutil.which(name, path=tool_path()))), None)


def _browser() -> str | None:
    return None if chromium() else "chromium is missing: install it with: apt-get install chromium"


def _links() -> str | None:
    trouble = native_link_unavailable_reason()
    return f"{trouble.rstrip('.')}: it takes root, iproute2 and a kernel with netem" if trouble else None


def _solr() -> str | None:
    return describe(solr_tools(find_repository())) or None


def _sshd() -> str | None:
    user = pwd.getpwuid(os.geteuid())
    if Path(user.pw_shell).name in ("nologin", "false"):
        return f"sshd lets nobody in as {user.pw_name}, whose shell is {user.pw_shell}: run the tests as another user"
    if client := _first_lacking("apt-get install openssh-client", *OPENSSH):
        return client
    return None if sshd() else "sshd is missing: install it with: apt-get install openssh-server"


def _mount() -> str | None:
    if os.geteuid() != 0:
        return "mounting a small file system takes root"
    return _first_lacking("apt-get install mount", "mount", "umount")


def _ipv6() -> str | None:
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError as error:
        return f"the address ::1 cannot be used ({error.strerror}): have IPv6 on the loopback interface"
    return None


def sshd() -> str | None:
    """The path of OpenSSH's server, which is not on the path of every user."""
    return shutil.which("sshd", path=f"{tool_path()}:/usr/sbin:/sbin")


OPENSSH = ("ssh", "ssh-add", "ssh-agent", "ssh-keygen")
"""Programs of OpenSSH's client."""

TOOLS: dict[str, Callable[[], str | None]] = {
    "act": lambda: _program("act", "make workflow-tools, which takes Go"),
    "actionlint": lambda: _program("actionlint", "make workflow-tools, which takes Go"),
    "cc": lambda: _program("cc", "install it with: apt-get install gcc libc6-dev"),
    "chromium": _browser,
    "docker": _docker,
    "gh": lambda: _program("gh", "install it with: apt-get install gh"),
    "ipv6": _ipv6,
    "links": _links,
    "make": lambda: _program("make", "install it with: apt-get install make"),
    "mount": _mount,
    "node": lambda: _program("node", "install it with: apt-get install nodejs"),
    "npm": lambda: _program("npm", "install it with: apt-get install npm"),
    "oha": OHA.unavailable_reason,
    "solr": _solr,
    "sshd": _sshd,
    "wrk": WRK.unavailable_reason,
}
"""Name of a tool → a function that returns why this machine lacks it, or None."""


@cache
def lacking(need: str) -> str | None:
    """Returns why this machine does not meet a need, or None. `need`: a name of TOOLS, or an entry to run natively."""
    if "/" in need:
        return tools_unavailable_reason(load_catalog(find_repository()).entries[need])
    return TOOLS[need]()
