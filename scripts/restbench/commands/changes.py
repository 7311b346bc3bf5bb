"""`restbench changes`: lists what changed, as the service measured it."""

import sys
from typing import Annotated

import typer
from pydantic import BaseModel
from rich import box
from rich.console import Console
from rich.table import Table

from restbench.catalog.select import ALL, matches, names_in
from restbench.changes.chain import speed_of
from restbench.changes.records import CHANGES, ChangeRecord, readable_records
from restbench.changes.regressions import TRIAGE, Judgement, read_triage, unknown_ids
from restbench.changes.summary import causes_text, headline, whole
from restbench.commands.options import Frameworks, Json
from restbench.errors import UsageError
from restbench.results.history import suite_of
from restbench.system.repository import find_repository

_NONE = (
    "there is no change record yet: the service writes one when it has compared a changed entry with what it was "
    "(docs/SERVICE.md)"
)


class ListedChange(BaseModel):
    """A record as `changes --json` prints it. `judgement`: what results/triage.toml says of it."""

    record: ChangeRecord
    judgement: Judgement | None


class Changes(BaseModel):
    """The document of `changes --json`.

    `speeds`: entry → suite → the chain of its records, as a share of the speed of its first version. `mistakes`: lines
    about ids in results/triage.toml that no record has.
    """

    records: list[ListedChange]
    speeds: dict[str, dict[str, float]]
    mistakes: list[str]


def changes(
    frameworks: Frameworks = None,
    everything: Annotated[
        bool, typer.Option("--all", help="also print the records in which no difference is claimed")
    ] = False,
    as_json: Json = False,
) -> None:
    """Prints the change records, newest first.

    Records in which no difference is claimed are printed with `everything`, and as JSON. A terminal gets a table, other
    outputs get fields with tabs between them. Raises UsageError where no record fits the patterns.
    """
    results = find_repository().results
    known = readable_records(results / CHANGES)
    triage = read_triage(results / TRIAGE)
    patterns = names_in(frameworks or [ALL])
    records = [record for record in known if any(matches(record.entry, pattern) for pattern in patterns)]
    if known and not records:
        entries = ", ".join(dict.fromkeys(record.entry for record in known))
        raise UsageError(f"there is no change record of {', '.join(patterns)}; entries with records: {entries}")
    mistakes = unknown_ids(triage, known)
    if as_json:
        speeds: dict[str, dict[str, float]] = {}
        for record in records:
            for suite in dict.fromkeys(suite_of(name) for name in record.cells):
                speeds.setdefault(record.entry, {})[suite] = round(speed_of(records, record.entry, suite), 5)
        listed = [ListedChange(record=record, judgement=triage.get(record.id)) for record in records]
        print(Changes(records=listed, speeds=speeds, mistakes=mistakes).model_dump_json(indent=1))
        return
    shown = [r for r in sorted(records, key=lambda r: r.at, reverse=True) if everything or r.claims]
    if known:
        _print(shown, triage)
    else:
        print(_NONE, file=sys.stderr)
    if not everything and (quiet := len(records) - len(shown)):
        more = "record claims" if quiet == 1 else "records claim"
        Console(stderr=True).print(f"{quiet} more {more} no difference: --all prints them", highlight=False)
    for line in mistakes:
        Console(stderr=True).print(line, highlight=False)


def _print(records: list[ChangeRecord], triage: dict[str, Judgement]) -> None:
    console = Console()
    if not console.is_terminal:
        for record in records:
            print(*_fields(record, triage), sep="\t")
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("record", "date", "entry"):
        table.add_column(heading, no_wrap=True)
    for heading in ("speed", "what differs", "judged"):
        table.add_column(heading)
    for record in records:
        table.add_row(*_fields(record, triage))
    console.print(table if records else "There is no change record that claims a difference.")


def _fields(record: ChangeRecord, triage: dict[str, Judgement]) -> tuple[str, ...]:
    day = f"{record.at:%Y-%m-%d}"
    if record.uncompared:
        return record.id, day, record.entry, whole(record), "", ""
    judged = triage.get(record.id)
    causes = causes_text(record.causes)
    return record.id, day, record.entry, headline(record), causes, judged.verdict if judged else ""
