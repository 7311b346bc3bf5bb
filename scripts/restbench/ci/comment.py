"""Writes the one comment on a pull request. Trusted code makes it from the artifacts of an untrusted job.

The job ran code of the pull request, so its artifacts may contain anything. Only small JSON files that fit a schema are
read. The Markdown is made here, and every text in it is escaped. The artifacts also say which pull request they belong
to. That is believed only where GitHub says that the commit of the workflow run is the head of that pull request.

A zip file can name paths outside of a folder, contain links, and unpack to a thousand times its size (D. Fifield, A
better zip bomb, 2019). None of this does harm, because one member is read by its name, in memory and up to a limit.
"""

import io
import json
import logging
import lzma
import re
import zipfile
import zlib
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from restbench.changes.comparison import Comparison
from restbench.changes.comparison_summary import comparison_markdown, within
from restbench.changes.summary import safe
from restbench.changes.touched import places_of_harness
from restbench.ci.github import GitHub, GitHubBusyError, GitHubError
from restbench.ci.matrix_jobs import MOST_JOBS
from restbench.errors import ResultsError
from restbench.render import markdown
from restbench.results.files import first_mistake
from restbench.system.text import one_line

LARGEST = 1_000_000
"""The most bytes of an artifact, packed and unpacked. A comparison of a hundred cells has 50,000."""

_NOT_UNPACKED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, RuntimeError, ValueError)
"""Exceptions of zipfile for a file that is no archive, cut off, damaged, encrypted, or packed in an unknown way."""

M = TypeVar("M", bound=BaseModel)


def read_upload(name: str, archive: bytes, member: str, model: type[M]) -> M:
    """Reads a member of an artifact as a model, with all of its texts made harmless.

    `name` is the artifact's name for messages. Raises ResultsError where the member is missing, cannot be unpacked, is
    larger than LARGEST or does not fit the model.
    """
    where = one_line(f"{markdown.defused(name)[:100]}/{member}")
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as packed, packed.open(member) as file:
            text = file.read(LARGEST + 1)
    except KeyError:
        raise ResultsError(f"{where} is not there: it is refused") from None
    except _NOT_UNPACKED as error:
        raise ResultsError(f"{where} cannot be unpacked ({one_line(str(error), 100)}): it is refused") from error
    if len(text) > LARGEST:
        raise ResultsError(f"{where} has more than {LARGEST:,} bytes: it is refused")
    try:
        return model.model_validate(_defused(json.loads(text)))
    except ValidationError as error:
        raise ResultsError(f"{where} does not fit its schema ({first_mistake(error)}): it is refused") from error
    except (ValueError, RecursionError) as error:
        raise ResultsError(f"{where} is not JSON: it is refused") from error


def _defused(value: Any) -> Any:
    """Returns the same JSON with its texts changed, so that GitHub notifies nobody and links to nothing."""
    if isinstance(value, str):
        return markdown.defused(value)
    if isinstance(value, list):
        return [_defused(item) for item in value]
    return {key: _defused(item) for key, item in value.items()} if isinstance(value, dict) else value


log = logging.getLogger(__name__)

MOST = 300
"""The most artifacts of one run that are looked at."""

MOST_PLACES = 20
"""How many changed places of the harness the comment names."""

MOST_REFUSED = 20
"""How many refusals the comment names."""

MOST_FILES = 3000
"""The most files of a pull request that GitHub lists (docs.github.com/rest/pulls/pulls, list pull requests files)."""

MARK = "<!-- restbench: comparison -->"
"""The first line of the comment. A later run finds the comment by it."""

UNCHANGED = "This pull request changes no entry, so there is nothing to compare.\n"
NOTHING = "There is no comparison to show: each job failed, or its comparison was refused. The run tells which.\n"

NOT_PROVEN = (
    "What is not proven: these figures come from jobs that ran the code of this pull request, and such code can write "
    "any figures. After the merge, the same change is measured again."
)
"""The end of every comment."""

RESULTS = "results/"
"""Where published figures and change records are."""

BOT = "github-actions[bot]"

_COMPARISON = re.compile(r"comparison-[a-z0-9][a-z0-9.-]{0,99}")


class PullRequest(BaseModel):
    """The content of pull-request.json: the pull request that the workflow says it ran for, and its number of jobs."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    number: Annotated[int, Field(ge=1, le=10_000_000, strict=True)]
    jobs: Annotated[int, Field(ge=0, le=MOST_JOBS, strict=True)]


@dataclass(frozen=True)
class Uploaded:
    """The uploads of a run of the workflow. `refused` has the reason for each artifact that was refused."""

    pull_request: PullRequest
    comparisons: list[Comparison]
    refused: list[str]


def post_comment(run: int, head: str, run_url: str, github: GitHub) -> str:
    """Posts the comment, or changes the one that is there.

    `run` is the ID of the workflow run, and `head` the commit that it ran for. Both come from GitHub. Returns a
    sentence that says what was done. Raises ResultsError where the artifacts do not say which pull request it is,
    GitHubBusyError where GitHub fails for a while, and GitHubError where it refuses a request. It can be called again,
    and nothing is doubled.
    """
    uploaded = _uploaded(run, head, github)
    if uploaded is None:
        return f"run {run} uploaded nothing called pull-request: it was held back or has failed, nothing was posted"
    number = uploaded.pull_request.number
    pull_request = github.pull_request(number)
    if pull_request.head.sha != head:
        return f"pull request {number} is at another commit than the one measured: nothing was posted"
    if pull_request.state != "open":
        return f"pull request {number} is closed: nothing was posted"
    for reason in uploaded.refused:
        log.info(reason)
    files = github.files_of(number)
    body = comment_body(uploaded, files, run_url)
    comments = github.comments_of(number)
    mine = next((c for c in comments if c.author == BOT and (c.body or "").startswith(MARK)), None)
    if mine is None and not uploaded.pull_request.jobs and not _changes_results(files):
        return f"pull request {number} changes no entry: nothing was posted"
    if mine is None:
        github.comment(number, body)
        return f"commented on pull request {number}"
    github.change_comment(mine.id, body)
    return f"changed the comment on pull request {number}"


def _uploaded(run: int, head: str, github: GitHub) -> Uploaded | None:
    """What the run uploaded. None where it does not say for which pull request it ran."""
    found = [artifact for artifact, _ in zip(github.artifacts_of(run), range(MOST), strict=False)]
    # A run that is repeated has its earlier artifacts too, under the same names. IDs rise.
    artifacts = list({artifact.name: artifact for artifact in sorted(found, key=lambda each: each.id)}.values())
    own = next((artifact for artifact in artifacts if artifact.name == "pull-request"), None)
    if own is None:
        return None
    archive = github.download(own.id, LARGEST)
    pull_request = read_upload("pull-request", archive, "pull-request.json", PullRequest)
    comparisons, refused = [], []
    for artifact in artifacts:
        name = artifact.name
        if not _COMPARISON.fullmatch(name):
            continue
        try:
            if artifact.size_in_bytes > LARGEST:
                raise ResultsError(f"{name} has {artifact.size_in_bytes:,} bytes: it is refused")
            archive = github.download(artifact.id, LARGEST)
            comparison = read_upload(name, archive, "comparison.json", Comparison)
            if comparison.head != head:
                raise ResultsError(f"{name} is of another commit than the one that was to be measured: it is refused")
            comparisons.append(comparison)
        except GitHubBusyError:
            raise
        except (ResultsError, GitHubError) as error:
            refused.append(one_line(error.message))
    return Uploaded(pull_request, comparisons, refused)


def comment_body(uploaded: Uploaded, files: list[str], run_url: str) -> str:
    """Returns the comment as Markdown. `files` are the paths that the pull request touches."""
    harness = places_of_harness(files)
    lines = [MARK, "## Benchmark of this pull request", ""]
    if harness:
        places = ", ".join(f"`{markdown.defused(place).replace('`', '')}`" for place in harness[:MOST_PLACES])
        places += f" and {len(harness) - MOST_PLACES:,} more places" if len(harness) > MOST_PLACES else ""
        lines += [
            (
                f"This pull request changes {places}. The figures below were measured with the changed files, "
                "and are only as trustworthy as these files."
            ),
            "",
        ]
    if len(files) >= MOST_FILES:
        lines += [
            (
                f"GitHub lists {MOST_FILES:,} files of a pull request at most, and this one has as many or more. So it "
                "is not known whether it changes files that the figures were measured with. They prove nothing."
            ),
            "",
        ]
    if _changes_results(files):
        lines += [
            f"This pull request changes `{RESULTS}`. Only the service and maintainers do. Leave these files out.",
            "",
        ]
    nothing = NOTHING if uploaded.pull_request.jobs else UNCHANGED
    lines += [comparison_markdown(uploaded.comparisons) if uploaded.comparisons else nothing]
    # a reason may quote text of a stranger, such as a key that the schema does not have
    lines += [f"- {safe(reason)}" for reason in uploaded.refused[:MOST_REFUSED]]
    if (more := len(uploaded.refused) - MOST_REFUSED) > 0:
        lines.append(f"- {more} more were refused; the log of the job `comment` has all of them")
    end = f"\n\n{NOT_PROVEN}\n\n[The whole run]({run_url})\n"
    return within("\n".join(lines), reserve=len(end)) + end


def _changes_results(files: list[str]) -> bool:
    return any(path.startswith(RESULTS) for path in files)
