"""`restbench agree`: holds results against what was measured, and against other results of the same entries."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Annotated

import typer

from restbench.board import build_board
from restbench.board.agreement import Agreement, Results, agreement_of, tables_of
from restbench.board.measured import Claims, OrderCheck, claims_of, order_check
from restbench.catalog import load_catalog
from restbench.changes.chain import gains_of
from restbench.changes.records import CHANGES, readable_records
from restbench.errors import UsageError
from restbench.render.formats import MISSING
from restbench.results.files import read_folder
from restbench.results.merge import LATEST, LINKS
from restbench.system.repository import find_repository


def agree(
    one: Annotated[Path, typer.Argument(help="a folder with results, as out/results or results/")],
    other: Annotated[
        Path | None,
        typer.Argument(help="another one, of the same entries in the same setting", show_default=False),
    ] = None,
) -> None:
    """Prints how order and claims agree with the measured throughputs, as a Markdown table.

    With two folders, prints how two measurements of the same entries agree.

    Raises UsageError where both are one folder, or where one has no results.
    """
    catalog = load_catalog(find_repository())
    if other is None:
        tables = [table for _, table in tables_of(build_board(catalog, *read_results(one)))]
        print(measured_table(claims_of(tables), order_check(tables)))
        return
    if one.resolve() == other.resolve():
        raise UsageError(f"{other}: is named twice: name results of another measurement")
    print(agreement_table(agreement_of(catalog, read_results(one), read_results(other))))


def read_results(folder: Path) -> Results:
    """The results of a run, or those of a folder with latest/ and links/. Raises UsageError where there are none."""
    latest = folder / LATEST if (folder / LATEST).is_dir() else folder
    entries, links = (list(read_folder(each).values()) for each in (latest, folder / LINKS))
    if not entries:
        raise UsageError(f"{folder}: there are no results; name a folder such as out/results")
    return Results(entries, links, gains_of(readable_records(folder / CHANGES)))


def measured_table(claims: Claims, order: OrderCheck) -> str:
    """What one measurement says, and how it agrees with its throughputs, as a Markdown table."""
    lines = {
        **_told_apart(claims),
        "claims that measured throughputs deny": _share(claims.denied, claims.measured),
        "claims whose median throughputs say less than 10 %": _share(claims.close, claims.measured),
        "claims whose median throughputs say the opposite": _share(claims.reversed, claims.measured),
        "rows held against their baseline's throughput": _share(len(order.off), len(order.off) + order.unknown),
        **_middle_and_end("relative cost × throughput ÷ the baseline's, off 1", order.off),
    }
    if order.unknown:
        lines["rows of older results, which lack the baseline's throughput"] = str(order.unknown)
    return _table("of one measurement", lines)


def agreement_table(found: Agreement) -> str:
    """The agreement of two measurements as a Markdown table."""
    spreads = [each.spread for each in found.copies]
    lines = {
        **_told_apart(found.claims),
        "claims in both": str(found.both),
        "claims that the other contradicts": str(found.contradicted),
        "claims that measured throughputs deny": _share(found.claims.denied, found.claims.measured),
        **_middle_and_end("rows moved", found.apart),
        "copies called different": _share(sum(each.different for each in found.copies), len(found.copies)),
        "copies differ, median": f"{median(spreads):.1%}" if spreads else MISSING,
    }
    return _table("of two measurements", lines)


def _told_apart(claims: Claims) -> dict[str, str]:
    return {
        "pairs of one language told apart": _share(claims.within.claimed, claims.within.pairs),
        "pairs of two languages told apart": _share(claims.across.claimed, claims.across.pairs),
    }


def _middle_and_end(what: str, shares: Sequence[float]) -> dict[str, str]:
    ordered = sorted(shares)
    figures = (median(ordered), ordered[int(0.95 * (len(ordered) - 1))]) if ordered else ()
    texts = [f"{each:.1%}" for each in figures] or [MISSING, MISSING]
    return dict(zip((f"{what}, median", f"{what}, 95th percentile"), texts, strict=True))


def _table(header: str, lines: Mapping[str, str]) -> str:
    return "\n".join(f"| {what} | {text} |" for what, text in {header: "found", "---": "---", **lines}.items())


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({part / max(1, whole):.1%})"
