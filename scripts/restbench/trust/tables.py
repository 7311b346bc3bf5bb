"""The tables that `restbench trust` prints: one Markdown table for each part."""

from collections.abc import Mapping, Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from restbench.stats.intervals import median_interval
from restbench.trust.detection import Detection
from restbench.trust.identical import Identical

_WIDTH = 160


def identical_table(found: Mapping[str, Identical]) -> str:
    """Returns a table with a line for each entry that was copied, and a line for all of them."""
    columns = ("copies of", "tables with a claim", "copies called slower", "spread of speeds")
    table = _table("A/A, each copy in a run of its own", *columns)
    every = Identical([each for identical in found.values() for each in identical.tables])
    for name, identical in {**found, "all": every}.items():
        table.add_row(
            name,
            _share(identical.claiming, len(identical.tables)),
            _share(identical.slower, identical.copies),
            f"{identical.spread:.1%}",
        )
    return _markdown(table)


def detection_table(found: Sequence[Detection]) -> str:
    """Returns a table with a line for each size of the slowdown."""
    columns = ("extra CPU time", "called slower", "called faster", "measured, median", "measured, range")
    table = _table("Detection of known slowdowns", *columns)
    for each in found:
        measured = median_interval(each.measured)
        table.add_row(
            f"{each.share:.0%}",
            f"{each.slower} of {each.repeats}",
            f"{each.faster} of {each.repeats}",
            f"{measured.middle - 1:+.1%}",
            f"{min(each.measured) - 1:+.1%} to {max(each.measured) - 1:+.1%}",
        )
    return _markdown(table)


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({part / max(1, whole):.1%})"


def _table(title: str, *headings: str) -> Table:
    table = Table(box=box.MARKDOWN, title=title, title_justify="left")
    for heading in headings:
        table.add_column(heading, no_wrap=True)
    return table


def _markdown(table: Table) -> str:
    console = Console(width=_WIDTH)
    with console.capture() as capture:
        console.print(table)
    return capture.get()
