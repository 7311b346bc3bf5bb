"""Facts of an entry that are the same in every scenario.

They are read from its environment, its lock file and its own files. Nobody types them in.
"""

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from restbench.catalog import Entry
from restbench.catalog.releases import has_dates, released
from restbench.errors import EntryError
from restbench.targets import Runtime


class _Printed(BaseModel):
    """The output of a language's facts command."""

    model_config = ConfigDict(extra="forbid", strict=True)

    licence: str | None
    packages: int
    runtime: str | None = None
    runtime_build: str | None = None
    released: date | None = Field(None, strict=False)  # JSON has dates as texts


@dataclass(frozen=True)
class Facts:
    """Facts of an entry. None stands for an unknown fact; `remarks` has a line for each reason.

    `runtime` is the program that runs the entry, or that compiled it.
    """

    licence: str | None = None
    packages: int | None = None
    runtime: str | None = None
    runtime_build: str | None = None
    released: date | None = None
    code_lines: int | None = None
    remarks: tuple[str, ...] = ()


def collect(entry: Entry, runtime: Runtime, releases: Path) -> Facts:
    """Returns the facts of an entry that has been built.

    The date of the release is that which the build found in the packages, else that which the package index tells.
    `releases` is a file that keeps the dates of releases, because a package index is slow to answer.
    """
    command, version = entry.language.manifest.facts, entry.version(runtime.name)
    printed, remarks = None, []
    if command is not None:
        try:
            printed = _Printed.model_validate_json(runtime.run_facts(entry, command))
        except (EntryError, ValidationError) as error:
            remarks.append(f"licence and number of packages are not known: {error}")
    date_ = (printed and printed.released) or released(entry, releases, runtime.name)
    if date_ is None and version is not None and has_dates(entry):
        remarks.append("the date of its release is not known: the package index did not tell")
    return Facts(
        licence=printed.licence if printed else None,
        packages=printed.packages if printed else None,
        runtime=printed.runtime if printed else None,
        runtime_build=printed.runtime_build if printed else None,
        released=date_,
        code_lines=code_lines(entry),
        remarks=tuple(remarks),
    )


def code_lines(entry: Entry) -> int | None:
    """Returns how many lines of the app's own code are not blank, None where there is no such line."""
    files = [path for pattern in entry.language.manifest.code for path in entry.code_folder.rglob(pattern)]
    return sum(bool(line.strip()) for file in files for line in file.read_text(errors="replace").splitlines()) or None
