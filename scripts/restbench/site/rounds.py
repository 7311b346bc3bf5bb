"""The rounds behind the figures: those of each table for pages that draw them, and whole result files to download."""

from collections import Counter
from collections.abc import Iterator, Sequence

from restbench.board.models import SuiteTables
from restbench.board.rows import Row
from restbench.catalog.titles import Titles
from restbench.render.formats import MISSING, short
from restbench.render.grid import Column, Grid, Text, make_grid
from restbench.results.files import dump_entry
from restbench.results.models import EntryResult
from restbench.site.write import compact

DOWNLOADS = "downloads/results"


def rounds_of(suite: SuiteTables) -> bytes:
    """JSON with the rounds of each table of a suite.

    `tables` has rows by the name of the table: entry, title, variant, requests per second and CPU µs per request of
    each round. Rows without rounds are left out.
    """
    tables = {table.name: [_row(row) for row in table.rows if row.solo.count] for table in suite.tables}
    return compact({"tables": tables})


def _row(row: Row) -> list[object]:
    rounds = row.solo.throughput, row.solo.cpu_us
    return [row.entry, row.title, row.variant, *([short(value) for value in values] for values in rounds)]


def result_files(results: Sequence[EntryResult]) -> Iterator[tuple[str, bytes]]:
    """The newest result of each entry, as results/latest has it."""
    for result in results:
        yield result_path(result.entry), dump_entry(result)


def result_path(entry: str) -> str:
    return f"{DOWNLOADS}/{entry}.json"


def raw_grid(run_ids: set[str], results: Sequence[EntryResult], root: str, titles: Titles) -> Grid | None:
    """The rounds that those runs refused, by reason, and the files with all of their rounds.

    None where newer runs have taken the place of all of their results.
    """
    own = [result for result in results if run_ids & result.runs.keys()]
    if not own:
        return None
    columns: list[Column[EntryResult]] = [
        Column("framework", lambda r: titles(r.entry), required=True),
        Column("rounds that do not count", lambda r: _refused(r, run_ids)),
        Column("all rounds", lambda r: Text("JSON", f"{root}{result_path(r.entry)}"), required=True),
    ]
    return make_grid(columns, sorted(own, key=lambda result: titles(result.entry).casefold()))


def _refused(result: EntryResult, run_ids: set[str]) -> str:
    found: Counter[str] = Counter()
    for cell in result.cells:
        if cell.run in run_ids:
            found.update(cell.refused)
    return "; ".join(f"{count} × {reason}" for reason, count in found.most_common()) or MISSING
