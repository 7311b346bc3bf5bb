"""The plan of a run: the jobs of the workflow's matrix, and the entries that each measures."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from restbench.catalog import Entry
from restbench.errors import UsageError
from restbench.targets.docker import build_arguments, image_labels, image_tag

MOST_JOBS = 256
"""The most jobs that a matrix may have (docs.github.com, workflow syntax, jobs.<job_id>.strategy.matrix)."""

Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.-]{0,99}$")]
EntryId = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*/[a-z0-9][a-z0-9-]*$")]


class _Plain(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Image(_Plain):
    """The inputs of docker/build-push-action. The action builds the image, and the harness then uses it."""

    context: str
    file: str
    build_args: str = Field(description="one argument per line")
    tag: str
    labels: str = Field(description="one label per line")


class MatrixJob(_Plain):
    """A job of the matrix.

    `image` is the image of its entry. `base_image` is the image of the entry in the checkout that it is compared with.
    A job with several entries has neither of them, and builds its images by itself.
    """

    name: Name
    frameworks: list[EntryId] = Field(min_length=1)
    image: Image | None = None
    base_image: Image | None = None


class RunPlan(_Plain):
    """The jobs of a workflow run and the entries that they measure. It is written before they start."""

    started: AwareDatetime
    commit: str
    jobs: list[MatrixJob]


def make_jobs(
    entries: Sequence[Entry], root: Path, bases: Mapping[str, Entry] | None = None, at_most: int = MOST_JOBS
) -> list[MatrixJob]:
    """Returns a job for each entry. More entries than `at_most` are shared out evenly among that many jobs.

    `bases` has, under the ID of an entry, the entry of another checkout that it is compared with.
    """
    if len(entries) <= at_most:
        return [_job(entry, root, (bases or {}).get(entry.id)) for entry in entries]
    shares = [entries[i::at_most] for i in range(at_most)]
    return [
        MatrixJob(name=f"shard-{number:03d}", frameworks=[entry.id for entry in share])
        for number, share in enumerate(shares, start=1)
    ]


def _job(entry: Entry, root: Path, base: Entry | None) -> MatrixJob:
    return MatrixJob(
        name=f"{entry.language.name}-{entry.name}",
        frameworks=[entry.id],
        image=_image(entry, root),
        base_image=_image(base, root) if base else None,
    )


def _image(entry: Entry, root: Path) -> Image | None:
    """The image of an entry. None where there is no Dockerfile: the harness then says which file is missing."""
    if not entry.dockerfile().is_file():
        return None
    return Image(
        context=str(entry.language.folder.relative_to(root)),
        file=str(entry.dockerfile().relative_to(root)),
        build_args=_lines(build_arguments(entry)),
        tag=image_tag(entry),
        labels=_lines(image_labels(entry)),
    )


def _lines(pairs: Mapping[str, str]) -> str:
    return "\n".join(f"{name}={value}" for name, value in pairs.items())


def read_plan(path: Path) -> RunPlan:
    """Reads the plan of a run. Raises UsageError where the file cannot be read or is no plan."""
    try:
        return RunPlan.model_validate_json(path.read_bytes())
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror}): restbench matrix --plan writes it") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise UsageError(f"{path}: is not the plan of a run: {where}: {first['msg']}") from error
