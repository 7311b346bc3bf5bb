"""What tests need of a machine: `@pytest.mark.needs("oha", "python/squall")` skips one where that is not to be had.

The reason that is given says what would bring it, and is printed once for all tests that have it.
"""

import shutil
from collections.abc import Callable
from functools import cache

from restbench.backends.native import lacks_of_solr
from restbench.catalog import load_catalog
from restbench.containers.engine import engine_trouble
from restbench.loadgen import Oha, Wrk
from restbench.system.repository import find_repository
from restbench.targets.links import delay_trouble
from restbench.targets.toolchains import describe, missing_tools
from tests.workflows.runner import tool_path


def _docker() -> str | None:
    trouble = engine_trouble()
    return f"no Docker engine answers ({trouble}): install and start one" if trouble else None


def _program(name: str, remedy: str) -> str | None:
    return None if shutil.which(name, path=tool_path()) else f"{name} is missing: {remedy}"


def _links() -> str | None:
    trouble = delay_trouble()
    return f"{trouble.rstrip('.')}: it takes root, iproute2 and a kernel with netem" if trouble else None


def _solr() -> str | None:
    return describe(lacks_of_solr(find_repository())) or None


TOOLS: dict[str, Callable[[], str | None]] = {
    "act": lambda: _program("act", "make workflow-tools, which takes Go"),
    "actionlint": lambda: _program("actionlint", "make workflow-tools, which takes Go"),
    "docker": _docker,
    "links": _links,
    "make": lambda: _program("make", "install it with: apt-get install make"),
    "node": lambda: _program("node", "install it with: apt-get install nodejs"),
    "npm": lambda: _program("npm", "install it with: apt-get install npm"),
    "oha": Oha().missing,
    "solr": _solr,
    "wrk": Wrk().missing,
}
"""Name → what is lacking for it, None where nothing is."""


@cache
def lacking(need: str) -> str | None:
    """Why this machine does not meet a need, a name of TOOLS or an entry to be run natively; None where it does."""
    if "/" in need:
        return missing_tools(load_catalog(find_repository()).entries[need])
    return TOOLS[need]()
