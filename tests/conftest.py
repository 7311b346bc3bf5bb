"""Prints, after the tests, which check killed which mutant."""

import pytest
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from restbench.conformance.http import shorten


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    killed = [
        value
        for report in terminalreporter.getreports("passed")
        for name, value in report.user_properties
        if name == "mutant"
    ]
    if not killed:
        return
    table = Table(title="mutants", box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False)
    for heading in ("mutant", "killed by", "what was seen"):
        table.add_column(heading, no_wrap=True)
    for mutant, check, seen in killed:
        table.add_row(mutant, check, escape(shorten(seen, 90)))
    console = Console(width=160)
    with console.capture() as drawn:
        console.print(table)
    terminalreporter.write(drawn.get())
