"""Issues on GitHub that are kept: opened once, changed when there is something new, closed when it is over.

An issue is found by its label and by a mark in its first line. What it is about is named in its text. So an issue that
a person closed stays closed until there is something that it does not name.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from restbench.ci.comment import BOT
from restbench.ci.github import GitHub, GitHubError, Issue

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
    said = []
    for name in sorted({*wanted, *(name for name, each in issues.items() if _open(each))}):
        try:
            said += _kept(name, wanted.get(name), issues.get(name, []), kind, github)
        except GitHubError as error:
            if error.status in FORBIDDEN:
                return [*said, _forbidden(error)]
            if error.status != INVALID:
                raise
            said.append(f"{name}: GitHub refused its issue: {error.message}")
    return said


def _forbidden(error: GitHubError) -> str:
    return (
        f"no issue was opened or changed: {error.message}. The job needs the permission issues: write, and the "
        "repository needs issues (Settings → General → Features)"
    )


def _open(issues: list[Issue]) -> list[Issue]:
    return [issue for issue in issues if issue.state == "open"]


def _kept(name: str, wanted: Wanted | None, issues: list[Issue], kind: IssueKind, github: GitHub) -> list[str]:
    """Brings the issues of one name up to date. Returns what was done."""
    opened = _open(issues)
    if wanted is None:
        for issue in opened:
            said = [comment.body for comment in github.comments_of(issue.number) if comment.author == BOT]
            if kind.over not in said:
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
