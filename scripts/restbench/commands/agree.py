"""`restbench agree`: compares two folders with results of the same entries."""

from pathlib import Path
from statistics import median
from typing import Annotated

import typer

from restbench.board.agreement import Agreement, Results, agreement_of
from restbench.catalog import load_catalog
from restbench.errors import UsageError
from restbench.results.files import read_folder
from restbench.results.merge import LATEST, LINKS
from restbench.system.repository import find_repository


def agree(
    one: Annotated[Path, typer.Argument(help="a folder with results, as out/results or results/")],
    other: Annotated[Path, typer.Argument(help="another one, of the same entries in the same setting")],
) -> None:
    """Prints how two measurements of the same entries agree, as a Markdown table.

    Raises UsageError where both are one folder, or where one has no results.
    """
    if one.resolve() == other.resolve():
        raise UsageError(f"{other}: is named twice: name results of another measurement")
    print(agreement_table(agreement_of(load_catalog(find_repository()), read_results(one), read_results(other))))


def read_results(folder: Path) -> Results:
    """The results of a run, or those of a folder with latest/ and links/. Raises UsageError where there are none."""
    latest = folder / LATEST if (folder / LATEST).is_dir() else folder
    found = Results(*(list(read_folder(each).values()) for each in (latest, folder / LINKS)))
    if not found.entries:
        raise UsageError(f"{folder}: there are no results; name a folder such as out/results")
    return found


def agreement_table(found: Agreement) -> str:
    """The agreement as a Markdown table."""
    apart = sorted(found.apart) or [0.0]
    lines = {
        "of two measurements": "found",
        "---": "---",
        "pairs of one language told apart": _share(found.within.claimed, found.within.pairs),
        "pairs of two languages told apart": _share(found.across.claimed, found.across.pairs),
        "claims in both": str(found.both),
        "claims that the other contradicts": str(found.contradicted),
        "claims that measured throughputs deny": _share(found.denied, found.measured),
        "rows moved, median": f"{median(apart):.1%}",
        "rows moved, 95th percentile": f"{apart[int(0.95 * (len(apart) - 1))]:.1%}",
        "copies called different": _share(sum(each.different for each in found.copies), len(found.copies)),
        "copies differ, median": f"{median([each.spread for each in found.copies] or [0.0]):.1%}",
    }
    return "\n".join(f"| {what} | {text} |" for what, text in lines.items())


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({part / max(1, whole):.1%})"
