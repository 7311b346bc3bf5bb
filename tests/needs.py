"""What tests need: `@pytest.mark.needs("oha", "python/squall")` skips a test on a machine that lacks one of these.

The reason says how to get what is missing. It is printed once for all tests that have it.
"""

import os
import pwd
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

from restbench.backends.native import lacks_of_solr
from restbench.catalog import load_catalog
from restbench.containers.engine import docker_unavailable_reason
from restbench.loadgen import OHA, WRK
from restbench.system.repository import find_repository
from restbench.targets.links import native_link_unavailable_reason
from restbench.targets.toolchains import describe, tools_unavailable_reason
from tests.workflows.user import tool_path


def _docker() -> str | None:
    trouble = docker_unavailable_reason()
    return f"no Docker engine answers ({trouble}): install and start one" if trouble else None


def _program(name: str, remedy: str) -> str | None:
    return None if shutil.which(name, path=tool_path()) else f"{name} is missing: {remedy}"


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
    return describe(lacks_of_solr(find_repository())) or None


def _sshd() -> str | None:
    user = pwd.getpwuid(os.geteuid())
    if Path(user.pw_shell).name in ("nologin", "false"):
        return f"sshd lets nobody in as {user.pw_name}, whose shell is {user.pw_shell}: run the tests as another user"
    return None if sshd() else "sshd is missing: install it with: apt-get install openssh-server"


def sshd() -> str | None:
    """The path of OpenSSH's server, which is not on the path of every user."""
    return shutil.which("sshd", path=f"{tool_path()}:/usr/sbin:/sbin")


TOOLS: dict[str, Callable[[], str | None]] = {
    "act": lambda: _program("act", "make workflow-tools, which takes Go"),
    "actionlint": lambda: _program("actionlint", "make workflow-tools, which takes Go"),
    "chromium": _browser,
    "composer": lambda: _program("composer", "install it with: apt-get install composer"),
    "docker": _docker,
    "gh": lambda: _program("gh", "install it with: apt-get install gh"),
    "links": _links,
    "make": lambda: _program("make", "install it with: apt-get install make"),
    "node": lambda: _program("node", "install it with: apt-get install nodejs"),
    "npm": lambda: _program("npm", "install it with: apt-get install npm"),
    "oha": OHA.unavailable_reason,
    "php": lambda: _program("php", "install it with: apt-get install php-cli"),
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
