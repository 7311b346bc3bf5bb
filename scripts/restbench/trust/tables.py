"""The tables that `restbench trust` prints: one Markdown table for each part."""

from collections.abc import Mapping, Sequence
from statistics import median

from rich import box
from rich.console import Console
from rich.table import Table

from restbench.stats.intervals import median_interval
from restbench.trust.boards import Agreement
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


def boards_table(found: Agreement) -> str:
    """Returns a table with what two boards claim, and how they agree."""
    table = _table("Two boards of the same entries", "of two boards", "found")
    apart = sorted(found.apart) or [0.0]
    for what, text in {
        "pairs of one language told apart": _share(found.within.claimed, found.within.pairs),
        "pairs of two languages told apart": _share(found.across.claimed, found.across.pairs),
        "claims in both": str(found.both),
        "claims that the other contradicts": str(found.contradicted),
        "claims that measured throughputs deny": _share(found.denied, found.measured),
        "rows moved, median": f"{median(apart):.1%}",
        "rows moved, 95th percentile": f"{apart[int(0.95 * (len(apart) - 1))]:.1%}",
    }.items():
        table.add_row(what, text)
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
