"""Issues on GitHub that are kept current: opened once, changed when there is something new, closed when it is over.

An issue is found by its label and by a mark in its first line. What it is about is named in its text. So an issue that
a person closed stays closed until there is something that it does not name. There is one for each entry that became
slower. It is closed when the slowdown is mended.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from restbench.catalog.load import Titles
from restbench.changes.records import CellCost, ChangeRecord
from restbench.changes.regressions import ALL_CELLS, THRESHOLD, TRIAGE, Regression
from restbench.changes.summary import causes_text, change_title, changed_grid, extents, headline, safe
from restbench.ci.comment import BOT
from restbench.ci.github import GitHub, GitHubError, Issue
from restbench.render import markdown
from restbench.render.formats import speed_change

FORBIDDEN = (403, 404, 410)
"""GitHub's answers where the token may not write issues, and where the repository has no issues."""
INVALID = 422


@dataclass(frozen=True)
class Wanted:
    """An issue that has to be open."""

    title: str
    body: str


@dataclass(frozen=True)
class IssueKind:
    """One kind of issues, by its label.

    `mark`: its first group is the name of an issue, in the first line. `names`: finds in a text what it is about.
    `over`: the comment with which an issue is closed. `why_closed`: the same in a few words.
    """

    label: str
    colour: str
    about: str
    mark: re.Pattern[str]
    names: re.Pattern[str]
    over: str
    why_closed: str


def keep(
    wanted: Mapping[str, Wanted], kind: IssueKind, github: GitHub, present: Callable[[str], str] = lambda name: name
) -> list[str]:
    """Opens, changes and closes issues, so that those are open that are wanted, by their names.

    `present` returns the present name of an issue that has a former one.

    Returns a sentence for each thing that was done. Where GitHub forbids it, that is one sentence with the remedy.
    Raises GitHubBusyError where GitHub fails for a while: it can be called again, and nothing is doubled.
    """
    issues: dict[str, list[Issue]] = {}
    try:
        for issue in sorted(github.issues(kind.label), key=lambda issue: issue.number, reverse=True):
            match = kind.mark.match(issue.body or "")
            if match and issue.author == BOT:
                issues.setdefault(present(match[1]), []).append(issue)
        if wanted:
            github.create_label(kind.label, kind.colour, kind.about)
    except GitHubError as error:
        if error.status in FORBIDDEN:
            return [_forbidden(error)]
        raise
    sentences = []
    for name in sorted({*wanted, *(name for name, each in issues.items() if _open(each))}):
        try:
            sentences += _update(name, wanted.get(name), issues.get(name, []), kind, github)
        except GitHubError as error:
            if error.status in FORBIDDEN:
                return [*sentences, _forbidden(error)]
            if error.status != INVALID:
                raise
            sentences.append(f"{name}: GitHub refused its issue: {error.message}")
    return sentences


def _forbidden(error: GitHubError) -> str:
    return (
        f"no issue was opened or changed: {error.message}. The job needs the permission issues: write, and the "
        "repository needs issues (Settings → General → Features)"
    )


def _open(issues: list[Issue]) -> list[Issue]:
    return [issue for issue in issues if issue.state == "open"]


def _update(name: str, wanted: Wanted | None, issues: list[Issue], kind: IssueKind, github: GitHub) -> list[str]:
    """Brings the issues of one name up to date. Returns what was done."""
    opened = _open(issues)
    if wanted is None:
        for issue in opened:
            comments = [comment.body for comment in github.comments_of(issue.number) if comment.author == BOT]
            if kind.over not in comments:
                github.comment(issue.number, kind.over)
            github.change_issue(issue.number, state="closed", state_reason="completed")
        return [f"{name}: issue {issue.number} is closed, as {kind.why_closed}" for issue in opened]
    named = set(kind.names.findall(wanted.body))
    if opened:
        number = opened[0].number
        if set(kind.names.findall(opened[0].body or "")) == named and opened[0].title == wanted.title:
            return [f"{name}: issue {number} is up to date"]
        github.change_issue(number, title=wanted.title, body=wanted.body)
        return [f"{name}: issue {number} was changed"]
    closed = next((issue for issue in issues if named <= set(kind.names.findall(issue.body or ""))), None)
    if closed:
        return [f"{name}: issue {closed.number} about it was closed by a person, and nothing new came"]
    new = github.open_issue(wanted.title, wanted.body, [kind.label])
    return [f"{name}: an issue was opened" if new is None else f"{name}: issue {new} was opened"]


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
    titles: Titles,
    present: Callable[[str], str] = lambda entry: entry,
) -> list[str]:
    """Keeps an issue for each of the regressions. Returns a sentence for each thing that was done, as `keep` does.

    `present` returns the present id of an entry, by which an issue of its former name is known.
    """
    wanted = {}
    for entry, each in found.items():
        wanted[entry] = Wanted(_title(each, titles), issue_body(each, run_url, titles))
    sentences = keep(wanted, REGRESSIONS, github, present)
    return sentences or ["no entry became slower by 5 % or more, and no issue is open"]


def _title(regression: Regression, titles: Titles) -> str:
    """How much slower the entry is than before the first of the records."""
    part, ratio = regression.worst
    told = speed_change(ratio)
    if part != ALL_CELLS:
        count = len(regression.parts)
        told = f"{told} in 1 scenario" if count == 1 else f"up to {told} in {count} scenarios"
    first, last = regression.records[0], regression.records[-1]
    return markdown.defused(change_title(titles(regression.entry), first.version_before, last.version, told))


def issue_body(regression: Regression, run_url: str | None, titles: Titles) -> str:
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
        # of older records only the id is named where all would not fit: the issue is known by the records it names
        newest = len(records) - number <= MOST_SECTIONS
        lines += [f"### Record {record.id}", ""]
        lines += [*_section(record, regression.slower_parts(record), titles), ""] if newest else []
    verdict = 'verdict = "expected"   # or "mended", or "not ours"\nwhy     = "…"\n'
    judged = [f'["{record.id}"]\n{verdict}' for record in records]
    lines += [
        f"If it is as it should be, say so in `results/{TRIAGE}`, and this issue is closed by the next run:",
        "",
        "```toml",
        "\n".join(judged) + "```",
    ]
    return "\n".join([*lines, "", f"[The run that reported it]({run_url})"] if run_url else lines) + "\n"


def _section(record: ChangeRecord, slower: Mapping[str, CellCost], titles: Titles) -> list[str]:
    told = change_title(titles(record.entry), record.version_before, record.version, headline(record))
    causes = f"What differs: {causes_text(record.causes, _MOST_CAUSES)}."
    sentences = [*extents(record.cells, record.causes, titles), causes]
    changed = {name: cell for name, cell in slower.items() if name != ALL_CELLS}
    table = ["", markdown.table(changed_grid(changed, titles, MOST_CELLS))] if changed else []
    return [
        f"**{safe(told)}**, {record.day}, {record.target}, profile {safe(record.profile)}",
        "",
        safe(" ".join(sentences)),
        *table,
        "",
        "To measure it again:",
        "",
        "```sh",
        f"git checkout {record.after}",
        f"git worktree add .restbench/base {record.before}",
        f"make setup && .venv/bin/restbench compare .restbench/base {record.entry}",
        "```",
    ]
