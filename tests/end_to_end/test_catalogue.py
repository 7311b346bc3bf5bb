"""The whole catalogue, proven."""

import re
from collections.abc import Callable

import pytest

from restbench.catalog import load_catalog
from restbench.repository import find_repository
from tests.end_to_end.made import restbench
from tests.needs import lacking

# the first test waits for all entries, built from nothing where that was not done before
pytestmark = [pytest.mark.slow, pytest.mark.timeout(2400)]

REPOSITORY = find_repository()
CATALOG = load_catalog(REPOSITORY)


@pytest.fixture(scope="module")
def verified() -> dict[str, str]:
    """What verify prints about each entry of the catalogue; all are built side by side first."""
    ran = restbench(REPOSITORY, "verify", "all", "reference/nginx", "--target", "native", timeout=2300)
    return {block.split()[0]: block for block in ran.out.split("\n\n") if block.strip()}


@pytest.mark.parametrize("entry", [pytest.param(name, marks=pytest.mark.needs(name)) for name in CATALOG.entries])
def test_every_entry_keeps_the_contract_and_verify_prints_every_check(
    verified: dict[str, str], entry: str, record_property: Callable[[str, object], None]
) -> None:
    said = verified[entry]
    assert "✓ hello_world answer" in said
    assert "✓ alive" in said
    assert "✗" not in said, said
    summary = said.strip().splitlines()[-1].strip()
    in_solr = bool(CATALOG.entries[entry].variants("solr"))
    not_run = r", [1-9]\d* not run" if lacking("wrk") or (in_solr and lacking("solr")) else ""
    assert re.fullmatch(r"[1-9]\d* checks kept, 0 broken" + not_run, summary), said
    record_property("verified", (said.splitlines()[0], summary))
