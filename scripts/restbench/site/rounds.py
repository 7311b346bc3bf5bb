"""The rounds behind the figures: whole result files to download."""

from collections import Counter
from collections.abc import Iterator, Sequence

from restbench.catalog.load import Titles
from restbench.render.formats import MISSING
from restbench.render.grid import Column, Grid, Text, make_grid
from restbench.results.files import dump_entry
from restbench.results.models import EntryResult

DOWNLOADS = "downloads/results"


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
