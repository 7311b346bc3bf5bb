"""What `restbench verify` prints of an entry that keeps the contract."""

import re

import pytest

from restbench.catalog import Entry
from restbench.targets.building import NOT_BUILT
from tests.needs import lacking

_LINES_OF_A_BROKEN_CHECK = 4
"""Its name, the request, what was expected, and what came."""


def check_verified(entry: Entry, text: str, *, backend_is_here: bool) -> tuple[str, str]:
    """Fails where a check is broken. Skips the test where the server of packages cannot be reached.

    Returns the heading and the number of checks.
    """
    if not_built := next((line for line in text.splitlines() if NOT_BUILT in line), None):
        pytest.skip(not_built.strip().removeprefix("- "))
    assert "✓ hello_world answer" in text, text
    assert "✓ alive" in text
    lines = text.strip().splitlines()
    broken = ["\n".join(lines[at : at + _LINES_OF_A_BROKEN_CHECK]) for at, line in enumerate(lines) if "✗" in line]
    assert not broken, "\n".join(broken)
    without_backend = bool(entry.variants("solr")) and not backend_is_here
    not_run = r", [1-9]\d* not run" if lacking("wrk") or without_backend else ""
    pages = entry.manifest.documentation
    *_, kept, heading = lines[: -len(pages)]
    assert re.fullmatch(r"[1-9]\d* checks kept, 0 broken" + not_run + r" \((native|docker)\)", kept.strip()), text
    assert heading.strip() == "It is written as these pages show:"
    assert [line.strip() for line in lines[-len(pages) :]] == pages
    return lines[0], kept.strip()
