"""Orders the tests, skips those whose needs are not met, and prints what tests found and why tests were skipped."""

import os
import signal
from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

import pytest
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from restbench.conformance.http import shorten
from tests.needs import lacking

TABLES = {
    "fault": ("faults at random moments of a run", ("fault", "after")),
    "mutant": ("mutants", ("mutant", "killed by", "second", "what was seen")),
    "fuzzed": ("each OpenAPI document, by Schemathesis", ("entry", "operations", "requests", "found")),
    "verified": ("the catalogue, verified natively", ("entry", "checks")),
    "in-image": ("entries, verified in images", ("entry", "checks")),
}
"""Name of a property that tests record → title and headings of the table with its values."""

LONGEST = ("test_catalogue", "test_service")
"""Files whose tests take many minutes. They begin first, because several files run at the same time."""


REQUIRED = os.environ.get("REQUIRED_TOOLS", "").split()
"""Tools and entries, as `needs` names them, without which a test fails. Others without their tools are skipped."""


def pytest_configure() -> None:
    # a shell that starts the tests in the background lets them ignore Ctrl-C, and each program that they start too
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fault-entries", type=int, default=3, help="number of entries in a run with a fault")
    parser.addoption("--fault-repeats", type=int, default=1, help="number of runs with each fault")
    parser.addoption("--every-image", action="store_true", help="verify all entries in images, not one per Dockerfile")
    parser.addoption("--touched", action="store_true", help="verify what the newest commits touched, not all entries")
    parser.addoption("--note-durations", type=Path, help="add to this file how many seconds each test took")
    parser.addoption("--rewrite-golden", action="store_true", help="rewrite tests/unit/golden/, as make golden does")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sorts the tests: the longest first, then those that start apps, then the others. Skips tests with unmet needs."""
    for item in items:
        needs = [need for mark in item.iter_markers("needs") for need in mark.args]
        required = [reason for need in needs if need in REQUIRED and (reason := lacking(need))]
        reasons = [reason for need in needs if (reason := lacking(need))]
        if required:
            item.user_properties.append(("required", required[0]))
        elif reasons:
            item.add_marker(pytest.mark.skip(reason=reasons[0]))
    slow = {item.path for item in items if item.get_closest_marker("slow")}

    def rank(item: pytest.Item) -> int:
        if item.path.stem in LONGEST:
            return LONGEST.index(item.path.stem)
        return len(LONGEST) + (item.path not in slow)

    items.sort(key=rank)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Fails a test whose tools are missing where they were required. A green run has then used them."""
    if reason := dict(item.user_properties).get("required"):
        pytest.fail(f"{reason} (REQUIRED_TOOLS names it)", pytrace=False)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for recorded, (title, headings) in TABLES.items():
        rows = [
            value
            for report in terminalreporter.getreports("passed")
            for name, value in report.user_properties
            if name == recorded
        ]
        if rows:
            terminalreporter.write(drawn(title, headings, rows))
    for line in skipped(terminalreporter):
        terminalreporter.write_line(line)
    noted = terminalreporter.config.getoption("--note-durations")
    if noted and not hasattr(terminalreporter.config, "workerinput"):  # each process of pytest-xdist has a summary
        with noted.open("a") as file:
            file.writelines(f"{seconds:8.1f} s  {test}\n" for test, seconds in durations(terminalreporter).items())


def durations(terminalreporter: pytest.TerminalReporter) -> dict[str, float]:
    """Returns the seconds that each test took, with what it set up and cleared away."""
    found: dict[str, float] = defaultdict(float)
    for report in chain.from_iterable(terminalreporter.stats.values()):
        if isinstance(report, pytest.TestReport):
            found[report.nodeid] += report.duration
    return found


def skipped(terminalreporter: pytest.TerminalReporter) -> list[str]:
    """Returns a line for each reason why tests were skipped. The reason says how to get them to run."""
    reports = terminalreporter.getreports("skipped")
    reasons = [report.longrepr[2].removeprefix("Skipped: ") for report in reports if isinstance(report.longrepr, tuple)]
    return [f"{n} test{'s' if n > 1 else ''} skipped: {reason}" for reason, n in Counter(reasons).most_common()]


def drawn(title: str, headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Returns the rows as a table. Long cells are cut, so that a row fits on a terminal."""
    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False)
    for heading in headings:
        table.add_column(heading, no_wrap=True)
    for row in rows:
        table.add_row(*(escape(shorten(cell, 50)) for cell in row))
    console = Console(width=160)
    with console.capture() as capture:
        console.print(table)
    return capture.get()
