"""One GitHub issue for each entry that became slower: opened once, kept up to date, closed when the slowdown is mended.

An issue is found by a mark in its first line. The ids of its records are in its text. So an issue that a person closed
stays closed until there is a record that it does not name.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from restbench.changes.records import CellCost, ChangeRecord
from restbench.changes.regressions import THRESHOLD, Regression
from restbench.changes.summary import causes_text, told
from restbench.changes.triage import TRIAGE
from restbench.ci.comment import BOT
from restbench.ci.github import GitHub, GitHubError, Issue
from restbench.render import markdown
from restbench.render.formats import speed_change, versions
from restbench.render.grid import Column, make_grid

LABEL = "regression"
COLOUR = "d93f0b"
ABOUT = "An entry became slower, as measured before and after a change"

MENDED = "The slowdown is mended: later change records made up for it, or it was judged."

FORBIDDEN = (403, 404, 410)
"""GitHub's answers where the token may not write issues, and where the repository has no issues."""
INVALID = 422

_MARK = re.compile(r"<!-- restbench: regression ([a-z0-9/.-]{1,200}) -->")
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
    """Opens, changes and closes issues, so that there is an open one for each of the regressions.

    `present` returns the present id of an entry, by which an issue of its former name is known.

    Returns a sentence for each thing that was done. Where GitHub forbids it, that is one sentence with the remedy.
    Raises GitHubBusyError where GitHub fails for a while: it can be called again, and nothing is doubled.
    """
    try:
        issues = _issues(github, present)
        if found:
            github.create_label(LABEL, COLOUR, ABOUT)
    except GitHubError as error:
        if error.status in FORBIDDEN:
            return [_forbidden(error)]
        raise
    said = []
    for entry in sorted({*found, *(name for name, each in issues.items() if _open(each))}):
        try:
            said += _kept(entry, found.get(entry), issues.get(entry, []), github, run_url)
        except GitHubError as error:
            if error.status in FORBIDDEN:
                return [*said, _forbidden(error)]
            if error.status != INVALID:
                raise
            said.append(f"{entry}: GitHub refused its issue: {error.message}")
    return said or ["no entry became slower by 5 % or more, and no issue is open"]


def _forbidden(error: GitHubError) -> str:
    return (
        f"no issue was opened or changed: {error.message}. The job needs the permission issues: write, and the "
        "repository needs issues (Settings → General → Features)"
    )


def _issues(github: GitHub, present: Callable[[str], str]) -> dict[str, list[Issue]]:
    """The issues of the service by entry, newest first."""
    found: dict[str, list[Issue]] = {}
    for issue in sorted(github.issues(LABEL), key=lambda issue: issue.number, reverse=True):
        match = _MARK.match(issue.body or "")
        if match and issue.author == BOT:
            found.setdefault(present(match[1]), []).append(issue)
    return found


def _open(issues: list[Issue]) -> list[Issue]:
    return [issue for issue in issues if issue.state == "open"]


def _kept(
    entry: str, regression: Regression | None, issues: list[Issue], github: GitHub, run_url: str | None
) -> list[str]:
    """Brings the issues of one entry up to date. Returns what was done."""
    opened = _open(issues)
    if regression is None:
        for issue in opened:
            said = [comment.body for comment in github.comments_of(issue.number) if comment.author == BOT]
            if MENDED not in said:
                github.comment(issue.number, MENDED)
            github.change_issue(issue.number, state="closed", state_reason="completed")
        return [f"{entry}: issue {issue.number} is closed, as the slowdown is mended" for issue in opened]
    title, body = issue_title(regression), issue_body(regression, run_url)
    if opened:
        number = opened[0].number
        if _named(opened[0].body) == _named(body) and opened[0].title == title:
            return [f"{entry}: issue {number} is up to date"]
        github.change_issue(number, title=title, body=body)
        return [f"{entry}: issue {number} was changed"]
    closed = next((issue for issue in issues if _named(body) <= _named(issue.body)), None)
    if closed:
        return [f"{entry}: issue {closed.number} about it was closed by a person, and nothing new came"]
    new = github.open_issue(title, body, [LABEL])
    return [f"{entry}: an issue was opened" if new is None else f"{entry}: issue {new} was opened"]


def _named(body: str | None) -> set[str]:
    """The ids of the records that the text of an issue names."""
    return set(re.findall(r"^### Record ([0-9a-f]{12})$", body or "", re.MULTILINE))


def issue_title(regression: Regression) -> str:
    _, ratio = regression.worst
    return f"{regression.entry} is {speed_change(ratio)}"


def issue_body(regression: Regression, run_url: str | None) -> str:
    """Returns the text of the issue as Markdown. Texts of records are escaped, because a job made them."""
    lines = [
        f"<!-- restbench: regression {regression.entry} -->",
        "Both versions were loaded at the same time on the same CPUs, in duet rounds.",
        "Each difference below was seen in two series of fresh processes.",
        f"Together they are {THRESHOLD:.0%} or more. This issue is closed when later records make up for it.",
        "",
    ]
    for number, record in enumerate(regression.records):
        # an older record is named alone where all of them would not fit: the issue is known by the records it names
        newest = len(regression.records) - number <= MOST_SECTIONS
        lines += [*(_section(record, regression.slower_parts(record)) if newest else [_heading(record)]), ""]
    lines += [
        f"If it is as it should be, say so in `results/{TRIAGE}`, and this issue is closed by the next run:",
        "",
        "```toml",
        f'["{regression.records[-1].id}"]',
        'verdict = "expected"   # or "mended", or "not ours"',
        'why     = "…"',
        "```",
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
        _heading(record),
        "",
        f"{record.at:%Y-%m-%d}, {record.target}, profile {_safe(record.profile)}.",
        f"Version: {_safe(versions(record.version_before, record.version)) or 'unknown'}.",
        f"What differs: {_safe(causes_text(record.causes, _MOST_CAUSES))}.",
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


def _heading(record: ChangeRecord) -> str:
    return f"### Record {record.id}"


def _safe(text: str) -> str:
    return markdown.escape(markdown.defused(text))
