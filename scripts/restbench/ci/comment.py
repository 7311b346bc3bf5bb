"""The one comment on a pull request, made by trusted code of what an untrusted job uploaded.

The job ran code of the pull request, so its artifacts may hold anything. What is taken of them are small JSON files
that fit a schema; the Markdown is made here, with every text escaped. Which pull request they belong to is believed
only where GitHub says that the commit which the workflow ran for is that pull request's head.
"""

import re
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from restbench.ci.github import GitHub, GitHubError
from restbench.ci.uploads import LARGEST, read_upload
from restbench.compare.changes import places_of_harness
from restbench.compare.models import Comparison
from restbench.compare.summary import comparison_markdown
from restbench.errors import ResultsError
from restbench.render import markdown

MOST = 300
"""Artifacts of one run that are looked at."""

MARK = "<!-- restbench: comparison -->"
"""By what the comment is found again."""

NOTHING = "No comparison was uploaded that can be shown: no entry is changed, or a job failed, as the run tells.\n"

BOT = "github-actions[bot]"

_COMPARISON = re.compile(r"comparison-[a-z0-9][a-z0-9.-]{0,99}")


class PullRequest(BaseModel):
    """pull-request.json: which pull request the workflow ran for, as it says."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    number: Annotated[int, Field(ge=1, le=10_000_000, strict=True)]


@dataclass(frozen=True)
class Uploaded:
    """What a run of the workflow left. `refused` says of each artifact that was not taken why."""

    number: int
    comparisons: list[Comparison]
    refused: list[str]


def post_comment(run: int, head: str, run_url: str, github: GitHub) -> str:
    """Posts the comment, or changes the one that is there. `run` and `head` are what GitHub says of the workflow run.

    Returns what was done, in words. Raises ResultsError where the artifacts do not say which pull request it is.
    """
    uploaded = _uploaded(run, head, github)
    number = uploaded.number
    pull_request = github.pull_request(number)
    if pull_request["head"]["sha"] != head:
        return f"pull request {number} is at another commit than the one measured: nothing was posted"
    if pull_request["state"] != "open":
        return f"pull request {number} is closed: nothing was posted"
    body = comment_body(uploaded, github.files_of(number), run_url)
    mine = next((c for c in github.comments_of(number) if _is_mine(c)), None)
    if mine is None:
        github.comment(number, body)
        return f"commented on pull request {number}"
    github.change_comment(int(mine["id"]), body)
    return f"changed the comment on pull request {number}"


def _uploaded(run: int, head: str, github: GitHub) -> Uploaded:
    artifacts = [artifact for artifact, _ in zip(github.artifacts_of(run), range(MOST), strict=False)]
    own = next((artifact for artifact in artifacts if artifact["name"] == "pull-request"), None)
    if own is None:
        raise ResultsError(f"run {run} uploaded nothing called pull-request: nothing was posted")
    archive = github.download(int(own["id"]), LARGEST)
    number = read_upload("pull-request", archive, "pull-request.json", PullRequest).number
    comparisons, refused = [], []
    for artifact in artifacts:
        name = str(artifact["name"])
        if not _COMPARISON.fullmatch(name):
            continue
        try:
            if int(artifact["size_in_bytes"]) > LARGEST:
                raise ResultsError(f"{name} has {int(artifact['size_in_bytes']):,} bytes: it is refused")
            archive = github.download(int(artifact["id"]), LARGEST)
            comparison = read_upload(name, archive, "comparison.json", Comparison)
            if comparison.head != head:
                raise ResultsError(f"{name} is of another commit than the one that was to be measured: it is refused")
            comparisons.append(comparison)
        except (ResultsError, GitHubError) as error:
            refused.append(error.message)
    return Uploaded(number, comparisons, refused)


def comment_body(uploaded: Uploaded, files: list[str], run_url: str) -> str:
    """The comment as Markdown. `files` are those that the pull request touches."""
    harness = places_of_harness(files)
    lines = [MARK, "## Benchmark of this pull request", ""]
    if harness:
        places = ", ".join(f"`{place}`" for place in harness)
        lines += [
            f"It changes {places}: what follows was measured by its own code, and is as trustworthy as that.",
            "",
        ]
    # what was not uploaded may not have been measured for want of a change, or because a job failed: only the run knows
    lines += [comparison_markdown(uploaded.comparisons) if uploaded.comparisons else NOTHING]
    # a reason may name what a stranger wrote, such as a key that the schema does not have
    lines += [f"- {markdown.escape(markdown.defused(reason))}" for reason in uploaded.refused]
    return "\n".join([*lines, "", f"[The whole run]({run_url})", ""])


def _is_mine(comment: dict[str, Any]) -> bool:
    return comment["user"]["login"] == BOT and str(comment["body"]).startswith(MARK)
