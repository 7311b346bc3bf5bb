"""What is true of an entry whatever the scenario: read from its environment, its lock and its files, never typed in."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from restbench.catalog import Entry
from restbench.catalog.releases import has_dates, released
from restbench.errors import EntryError
from restbench.targets import Runtime


class _Printed(BaseModel):
    """What the facts command of a language prints."""

    model_config = ConfigDict(extra="forbid", strict=True)

    licence: str | None
    packages: int
    runtime: str | None = None
    runtime_build: str | None = None


@dataclass(frozen=True)
class Facts:
    """None is what could not be found out; `trouble` says why, in a line each. `runtime` is what runs the entry, or
    what compiled it."""

    licence: str | None = None
    packages: int | None = None
    runtime: str | None = None
    runtime_build: str | None = None
    released: date | None = None
    code_lines: int | None = None
    trouble: tuple[str, ...] = ()


def collect(entry: Entry, runtime: Runtime, releases: Path) -> Facts:
    """The facts of an entry that has been built. `releases`: where dates are kept, as an index is slow to ask."""
    command, version = entry.language.manifest.facts, entry.version()
    printed, trouble = None, []
    if command is not None:
        try:
            printed = _Printed.model_validate_json(runtime.run_facts(entry, command))
        except (EntryError, ValidationError) as error:
            trouble.append(f"licence and number of packages are not known: {error}")
    date_ = released(entry, releases)
    if date_ is None and version is not None and has_dates(entry):
        trouble.append("the date of its release is not known: the package index did not tell")
    return Facts(
        licence=printed.licence if printed else None,
        packages=printed.packages if printed else None,
        runtime=printed.runtime if printed else None,
        runtime_build=printed.runtime_build if printed else None,
        released=date_,
        code_lines=code_lines(entry),
        trouble=tuple(trouble),
    )


def code_lines(entry: Entry) -> int | None:
    """Lines of the entry's own code that are not blank."""
    files = [path for pattern in entry.language.manifest.code for path in entry.folder.rglob(pattern)]
    return sum(bool(line.strip()) for file in files for line in file.read_text(errors="replace").splitlines()) or None
