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
import shlex
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from restbench.catalog.load import AWAITED, Titles
from restbench.changes.comparison import Comparison
from restbench.changes.comparison_summary import LONGEST, code_block, comparison_markdown, within
from restbench.changes.summary import safe
from restbench.changes.touched import places_of_harness
from restbench.ci.dead_jobs import DeadJob, dead_jobs
from restbench.ci.github import GitHub, GitHubBusyError, GitHubError
from restbench.ci.matrix_jobs import MOST_JOBS
from restbench.errors import ResultsError
from restbench.measure.machine import is_in
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

UNCHANGED = "## No entry changes, so nothing is compared"
NOTHING = "## 🔴 Nothing could be compared"

NOT_PROVEN = (
    "What is not proven: these figures come from jobs that ran the code of this pull request, and such code can write "
    "any figures. After the merge, the same change is measured again."
)
"""The end of every comment."""

RESULTS = "results/"
"""Where published figures and change records are."""

BOT = "github-actions[bot]"

UPLOAD = "comparison-"
_COMPARISON = re.compile(UPLOAD + r"[a-z0-9][a-z0-9.-]{0,99}")


class PullRequest(BaseModel):
    """The content of pull-request.json: the pull request that the workflow says it ran for, and its number of jobs."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    number: Annotated[int, Field(ge=1, le=10_000_000, strict=True)]
    jobs: Annotated[int, Field(ge=0, le=MOST_JOBS, strict=True)]


@dataclass(frozen=True)
class Uploaded:
    """The uploads of a run of the workflow. `refused` has the reason for each artifact that was refused.

    `dead` are the jobs that brought no comparison.
    """

    pull_request: PullRequest
    comparisons: list[Comparison]
    refused: list[str]
    dead: list[DeadJob]


@dataclass(frozen=True)
class Service:
    """What this repository calls things, and its addresses. The site has none where it is not published."""

    titles: Titles
    repository_url: str
    site: str | None = None


@dataclass(frozen=True)
class Context:
    """What GitHub says of the pull request: the paths that it touches, the branch below it, and its workflow run."""

    service: Service
    files: list[str]
    base: str
    run_url: str


def post_comment(run: int, head: str, service: Service, github: GitHub) -> str:
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
    run_url = f"{service.repository_url}/actions/runs/{run}"
    body = comment_body(uploaded, Context(service, files, pull_request.base.ref, run_url))
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
    comparisons, refused, kept = [], [], []
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
            kept.append(name)
        except GitHubBusyError:
            raise
        except (ResultsError, GitHubError) as error:
            refused.append(one_line(error.message))
    compared = [name.removeprefix(UPLOAD) for name in kept]
    dead = dead_jobs(run, compared, github) if len(comparisons) < pull_request.jobs else []
    return Uploaded(pull_request, comparisons, refused, dead)


def comment_body(uploaded: Uploaded, context: Context) -> str:
    """Returns the comment as Markdown. Its title is the verdict."""
    remarks = [line for dead in uploaded.dead for line in dead.markdown]
    # a reason may quote text of a stranger, such as a key that the schema does not have
    remarks += [f"- {safe(reason)}" for reason in uploaded.refused[:MOST_REFUSED]]
    if (more := len(uploaded.refused) - MOST_REFUSED) > 0:
        remarks.append(f"- {more} more were refused; the log of the job `comment` has all of them")
    remarks += [*([""] if uploaded.refused else []), *_about_files(context, uploaded), *_after_merge(context, uploaded)]
    end = f"\n\n{NOT_PROVEN}\n\n[The whole run]({context.run_url})\n"
    reserve = len(MARK) + 1 + len(end)
    if uploaded.comparisons:
        text = comparison_markdown(uploaded.comparisons, context.service.titles, remarks, reserve)
    else:
        title = NOTHING if uploaded.pull_request.jobs else UNCHANGED
        text = within("\n".join([title, "", *remarks]), reserve)
    return f"{MARK}\n{text.rstrip()}{end}"


def _about_files(context: Context, uploaded: Uploaded) -> Iterator[str]:
    """What the files of the pull request mean for its figures, and which of them do not belong to it."""
    files = context.files
    if harness := places_of_harness(files):
        places = ", ".join(f"`{markdown.defused(place).replace('`', '')}`" for place in harness[:MOST_PLACES])
        places += f" and {len(harness) - MOST_PLACES:,} more places" if len(harness) > MOST_PLACES else ""
        yield (
            f"This pull request changes {places}. The figures were measured with the changed files, and are only as "
            "trustworthy as these files."
        )
        yield ""
    if len(files) >= MOST_FILES:
        yield (
            f"GitHub lists {MOST_FILES:,} files of a pull request at most, and this one has as many or more. So it is "
            "not known whether it changes files that the figures were measured with. They prove nothing."
        )
        yield ""
    entries = [entry for comparison in uploaded.comparisons for entry in comparison.entries]
    own = (*(f"frameworks/{entry.entry}/" for entry in entries), f"frameworks/{AWAITED}")
    outside = {RESULTS if is_in(path, RESULTS) else path for path in files if not any(is_in(path, o) for o in own)}
    if outside and entries and all(entry.base_version is None for entry in entries):
        yield "A new entry needs only its folder. This takes out what else is changed:"
        yield from _taking_out(sorted(outside)[:MOST_PLACES], context)
    elif _changes_results(files):
        yield f"This pull request changes `{RESULTS}`. Only the service and maintainers do. This takes it out:"
        yield from _taking_out([RESULTS], context)


def _taking_out(paths: Sequence[str], context: Context) -> Iterator[str]:
    """The command that takes paths out of the pull request. Files that the base does not have are removed."""
    base = f'"$(git merge-base origin/{shlex.quote(context.base)} HEAD)"'
    command = f"git restore --source={base} --staged --worktree -- {shlex.join(paths)}"
    yield from ("", *code_block([one_line(command, LONGEST)]))


def _after_merge(context: Context, uploaded: Uploaded) -> Iterator[str]:
    """When figures come after the merge, and where."""
    entries = [entry for comparison in uploaded.comparisons for entry in comparison.entries]
    if len(entries) != 1 or _changes_results(context.files):
        return
    (entry,) = entries
    if context.service.site:
        place = f"[its page]({context.service.site}framework/{quote(entry.entry)}/), which has a badge to copy"
    else:
        place = f"[the results]({context.service.repository_url}/blob/HEAD/results/README.md)"
    again = "both versions are measured again, and the result comes"
    what = "its figures come" if entry.base_version is None else again
    yield f"After the merge {what} in about a quarter of an hour, to {place}."


def _changes_results(files: list[str]) -> bool:
    return any(path.startswith(RESULTS) for path in files)
