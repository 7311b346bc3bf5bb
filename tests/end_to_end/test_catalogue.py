"""The whole catalogue, verified. With --touched, the entries that the newest commits touched."""

from collections.abc import Callable, Iterable

import pytest

from restbench.catalog import load_catalog
from restbench.system.repository import find_repository
from tests.end_to_end.made import restbench
from tests.end_to_end.verification import check_verified
from tests.needs import lacking
from tests.touched import touched

# the first test waits for all entries, built from nothing where that was not done before
pytestmark = [pytest.mark.slow, pytest.mark.timeout(2400)]

REPOSITORY = find_repository()
CATALOG = load_catalog(REPOSITORY)


def each(names: Iterable[str]) -> list[object]:
    """The entries as parameters of a test: those that a first `make bench` runs belong to `make test`."""
    extended = {name: [] if name in CATALOG.selections.default else [pytest.mark.extended] for name in names}
    return [pytest.param(name, marks=[pytest.mark.needs(name), *marks]) for name, marks in extended.items()]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    only_touched = metafunc.config.getoption("touched")
    names = touched(REPOSITORY.root, CATALOG).natively if only_touched else CATALOG.entries
    metafunc.parametrize("entry", each(names))


@pytest.fixture(scope="module")
def verified(request: pytest.FixtureRequest) -> dict[str, str]:
    """What verify prints about each entry that is tested; all are built side by side first."""
    tests = [item for item in request.session.items if isinstance(item, pytest.Function)]
    names = [str(item.callspec.params["entry"]) for item in tests if item.path == request.path]
    ran = restbench(REPOSITORY, "verify", *names, "--target", "native", timeout=2300)
    assert ran.code in (0, 1, 3), ran.err
    return {block.split()[0]: block for block in ran.out.split("\n\n") if block.strip()}


def test_every_entry_keeps_the_contract_and_verify_prints_every_check(
    verified: dict[str, str], entry: str, record_property: Callable[[str, object], None]
) -> None:
    solr = lacking("solr") is None
    record_property("verified", check_verified(CATALOG.entries[entry], verified[entry], backend_is_here=solr))
