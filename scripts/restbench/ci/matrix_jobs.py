"""The plan of a run: the jobs of the workflow's matrix, and the entries that each measures."""

from collections.abc import Container, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from restbench.catalog import Entry
from restbench.catalog.profiles import PUBLISHED
from restbench.changes.published import Uncompared
from restbench.errors import UsageError
from restbench.results.files import first_mistake
from restbench.results.merge import LINKS
from restbench.results.models import Commit
from restbench.system.advice import command_line

MOST_JOBS = 256
"""The most jobs that a matrix may have (docs.github.com, workflow syntax, jobs.<job_id>.strategy.matrix)."""

Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.-]{0,99}$")]
EntryId = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*/[a-z0-9][a-z0-9-]*$")]


class _OfPlan(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class MatrixJob(_OfPlan):
    """A job of the matrix. `new`: it has one entry, which the checkout that it is compared with does not have.

    `base` is the commit that the entry of the job is to be compared with, where it has changed since. `profile` is None
    where it is that of the run.
    """

    name: Name
    frameworks: list[EntryId] = Field(min_length=1)
    new: bool = False
    base: Commit | None = None
    profile: Name | None = None


class RunPlan(_OfPlan):
    """The jobs of a workflow run and the entries that they measure. It is written before they start.

    `profile` is that of all jobs that have none of their own. `uncompared` are the entries that may have changed and
    cannot be compared with what they were.
    """

    started: AwareDatetime
    commit: str
    profile: Name = PUBLISHED
    jobs: list[MatrixJob]
    uncompared: dict[EntryId, Uncompared] = Field({})

    @property
    def boards(self) -> list[MatrixJob]:
        """The jobs whose results are rows of the board."""
        return [job for job in self.jobs if job.profile != LINKS]

    @property
    def links(self) -> MatrixJob | None:
        """The job that measures the baselines of all languages together."""
        return next((job for job in self.jobs if job.profile == LINKS), None)

    @property
    def comparisons(self) -> list[MatrixJob]:
        """The jobs whose entry is to be compared with what it was."""
        return [job for job in self.jobs if job.base]


def longest_first(entries: Iterable[Entry], suites: list[str]) -> list[Entry]:
    """Returns the entries with the most loaded cells first: a long job that started last would end the run later."""
    return sorted(
        entries, key=lambda entry: sum(entry.scenario(cell).loaded for cell in entry.cells(suites)), reverse=True
    )


def make_jobs(
    entries: Sequence[Entry],
    there: Container[str] | None = None,
    at_most: int = MOST_JOBS,
    commits: Mapping[str, str] | None = None,
) -> list[MatrixJob]:
    """Returns a job for each entry. More entries than `at_most` are shared out evenly among that many jobs.

    `there` has the IDs of the entries that another checkout has, with which they are compared. `commits` has, by ID,
    the commits that entries are to be compared with. Entries that share a job are not compared.
    """
    if len(entries) <= at_most:
        return [
            MatrixJob(
                name=f"{entry.language.name}-{entry.name}",
                frameworks=[entry.id],
                new=there is not None and entry.id not in there,
                base=(commits or {}).get(entry.id),
            )
            for entry in entries
        ]
    shares = [entries[i::at_most] for i in range(at_most)]
    return [
        MatrixJob(name=f"shard-{number:03d}", frameworks=[entry.id for entry in share])
        for number, share in enumerate(shares, start=1)
    ]


def read_plan(path: Path) -> RunPlan:
    """Reads the plan of a run. Raises UsageError where the file cannot be read or is no plan."""
    try:
        return RunPlan.model_validate_json(path.read_bytes())
    except OSError as error:
        written = f"write it with: {command_line('matrix', plan=path)}"
        raise UsageError(f"{path}: cannot be read ({error.strerror}): {written}") from error
    except ValidationError as error:
        raise UsageError(f"{path}: is not the plan of a run: {first_mistake(error)}") from error
