"""Entries in images: built as the service builds them, and verified.

Without --every-image one entry stands for all that share its Dockerfile. Natively every other entry is verified by
test_catalogue.py, with the same locked dependencies. What cannot run natively here, such as entries that are locked for
another distribution, is verified in its own image. With --touched, each language that was touched has one image, of the
entry that was touched last, and a few others have one.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from restbench.catalog import Entry, load_catalog
from restbench.system.repository import find_repository
from tests.end_to_end.made import restbench
from tests.end_to_end.verification import check_verified
from tests.needs import lacking
from tests.touched import touched

pytestmark = [
    pytest.mark.slow,
    pytest.mark.docker,
    pytest.mark.extended,
    pytest.mark.images,
    pytest.mark.needs("docker"),
    pytest.mark.timeout(5400),
]

REPOSITORY = find_repository()
CATALOG = load_catalog(REPOSITORY)


def in_images(config: pytest.Config) -> Iterator[str]:
    """The baseline of each language, the reference, what has a Dockerfile of its own, and what this machine cannot run
    natively; or what the options ask for.
    """
    if config.getoption("touched"):
        yield from touched(REPOSITORY.root, CATALOG).in_images
        return
    seen: set[Path] = set()
    for entry in sorted(CATALOG.entries.values(), key=_is_no_baseline):
        if config.getoption("every_image") or entry.dockerfile() not in seen or lacking(entry.id):
            yield entry.id
        seen.add(entry.dockerfile())


def _is_no_baseline(entry: Entry) -> bool:
    return CATALOG.baseline_of(entry) != entry


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    metafunc.parametrize("entry", list(in_images(metafunc.config)))


@pytest.fixture(scope="module")
def verified(request: pytest.FixtureRequest) -> dict[str, str]:
    """What verify prints about each entry. Images are built side by side first."""
    names = list(in_images(request.config))
    ran = restbench(REPOSITORY, "verify", *names, "--target", "docker", timeout=5300)
    assert ran.code in (0, 1, 3), ran.err
    return {block.split()[0]: block for block in ran.out.split("\n\n") if block.strip()}


def test_an_entry_keeps_the_contract_in_its_image(
    verified: dict[str, str], entry: str, record_property: Callable[[str, object], None]
) -> None:
    record_property("in-image", check_verified(CATALOG.entries[entry], verified[entry], backend_is_here=True))
