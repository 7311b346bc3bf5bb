"""One GitHub issue for each entry that became slower. It is closed when the slowdown is mended."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from restbench.changes.records import CellCost, ChangeRecord
from restbench.changes.regressions import THRESHOLD, TRIAGE, Regression
from restbench.changes.summary import causes_text, safe, told
from restbench.ci.github import GitHub
from restbench.ci.kept_issues import IssueKind, Wanted, keep
from restbench.render import markdown
from restbench.render.formats import speed_change, versions
from restbench.render.grid import Column, make_grid

MENDED = "The slowdown is mended: later change records made up for it, or it was judged."

REGRESSIONS = IssueKind(
    label="regression",
    colour="d93f0b",
    about="An entry became slower, as measured before and after a change",
    mark=re.compile(r"<!-- restbench: regression ([a-z0-9/.-]{1,200}) -->"),
    names=re.compile(r"^### Record ([0-9a-f]{12})$", re.MULTILINE),
    over=MENDED,
    why_closed="the slowdown is mended",
)

_MOST_CAUSES = 10
MOST_SECTIONS, MOST_CELLS = 10, 30
"""How many records of an issue are shown with their cells, and how many cells of a record. The text of an issue may
have 65,536 characters."""


def report_regressions(
    found: Mapping[str, Regression],
    github: GitHub,
    run_url: str | None,
    present: Callable[[str], str] = lambda entry: entry,
) -> list[str]:
    """Keeps an issue for each of the regressions. Returns a sentence for each thing that was done, as `keep` does.

    `present` returns the present id of an entry, by which an issue of its former name is known.
    """
    wanted = {}
    for entry, each in found.items():
        _, ratio = each.worst
        wanted[entry] = Wanted(f"{entry} is {speed_change(ratio)}", issue_body(each, run_url))
    said = keep(wanted, REGRESSIONS, github, present)
    return said or ["no entry became slower by 5 % or more, and no issue is open"]


def issue_body(regression: Regression, run_url: str | None) -> str:
    """Returns the text of the issue as Markdown. Texts of records are escaped, because a job made them."""
    records = regression.records
    lines = [
        f"<!-- restbench: regression {regression.entry} -->",
        "Both versions were loaded at the same time on the same CPUs, in duet rounds.",
        "Each difference below was seen in two series of fresh processes.",
        f"Together they are {100 * THRESHOLD:g} % or more. This issue is closed when later records make up for it.",
        "",
    ]
    for number, record in enumerate(records):
        # an older record is named alone where all of them would not fit: the issue is known by the records it names
        newest = len(records) - number <= MOST_SECTIONS
        lines += [f"### Record {record.id}", ""]
        lines += [*_section(record, regression.slower_parts(record)), ""] if newest else []
    verdict = 'verdict = "expected"   # or "mended", or "not ours"\nwhy     = "…"\n'
    judged = [f'["{record.id}"]\n{verdict}' for record in records]
    lines += [
        f"If it is as it should be, say so in `results/{TRIAGE}`, and this issue is closed by the next run:",
        "",
        "```toml",
        "\n".join(judged) + "```",
    ]
    return "\n".join([*lines, "", f"[The run that reported it]({run_url})"] if run_url else lines) + "\n"


def _section(record: ChangeRecord, slower: Mapping[str, CellCost]) -> list[str]:
    rows = list(slower.items())
    columns: list[Column[Any]] = [
        Column("cell", lambda row: row[0], required=True),
        Column("speed", lambda row: told(row[1]), required=True),
        Column("starts", lambda row: str(row[1].starts), number=True),
        Column("duet rounds", lambda row: str(row[1].rounds), number=True),
    ]
    return [
        f"{record.at:%Y-%m-%d}, {record.target}, profile {safe(record.profile)}.",
        f"Version: {safe(versions(record.version_before, record.version)) or 'unknown'}.",
        f"What differs: {safe(causes_text(record.causes, _MOST_CAUSES))}.",
        "",
        markdown.table(make_grid(columns, rows[:MOST_CELLS])),
        *(["", f"{len(rows) - MOST_CELLS} more cells became slower."] if len(rows) > MOST_CELLS else []),
        "",
        "To measure it again:",
        "",
        "```sh",
        f"git checkout {record.after}",
        f"git worktree add .restbench/base {record.before}",
        f"make setup && .venv/bin/restbench compare .restbench/base {record.entry}",
        "```",
    ]
