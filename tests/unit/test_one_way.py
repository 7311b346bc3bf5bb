"""A run goes one way through restbench.measure: no call comes back to a module that it had left."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import restbench.measure
from restbench.catalog import Catalog
from restbench.results.journal import Journal
from tests.unit.fakes import World
from tests.unit.plans import plan_of, run

FOLDER = restbench.measure.__path__[0]

Way = tuple[str, ...]
"""The modules of a chain of calls, the caller first."""


@contextmanager
def ways_through_measure() -> Iterator[set[Way]]:
    """Notes the way of every call in this thread."""
    found: set[Way] = set()

    def note(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(FOLDER):
            found.add(way_of(frame))

    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(None)


def way_of(frame: FrameType | None) -> Way:
    modules: list[str] = []
    while frame:
        path = frame.f_code.co_filename
        if path.startswith(FOLDER):
            module = path.removeprefix(FOLDER).strip("/").removesuffix(".py")
            modules += [module] if modules[-1:] != [module] else []
        frame = frame.f_back
    return tuple(reversed(modules))


def test_no_call_comes_back_to_a_module_that_it_had_left(catalog: Catalog, journal: Journal) -> None:
    plan = plan_of(catalog, World(), patterns="python/falcon python/fastapi java/jooby", suites=list(catalog.suites))
    with ways_through_measure() as ways:
        run(plan, journal)
    longest = ("run", "group", "visits", "team", "backend_session", "visit", "window", "settle")
    assert longest in ways
    assert [way for way in ways if len(set(way)) < len(way)] == []
