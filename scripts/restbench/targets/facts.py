"""Facts of an entry that are the same in every scenario.

They are read from its environment, its lock file and its own files. Nobody types them in.
"""

import json
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from restbench.catalog import Entry, debian_packages
from restbench.catalog.packages import release_date
from restbench.errors import EntryError, UnwritableError
from restbench.system import debian
from restbench.system.files import write_atomically
from restbench.targets import Runtime
from restbench.targets.interface import misprinted


class Printed(BaseModel):
    """The output of a language's facts command. For packages of Debian the harness finds licence and number itself."""

    model_config = ConfigDict(extra="forbid", strict=True)

    version: str | None = None
    licence: str | None = None
    packages: int | None = None
    runtime: str | None = None
    runtime_build: str | None = None
    released: date | None = Field(None, strict=False)  # JSON has dates as texts


@dataclass(frozen=True)
class Facts:
    """Facts of an entry. None stands for an unknown fact; `remarks` has a line for each reason.

    `version` is that of a framework that is a part of the runtime, and not in the lock file. `runtime` is the program
    that runs the entry, or that compiled it.
    """

    version: str | None = None
    licence: str | None = None
    packages: int | None = None
    runtime: str | None = None
    runtime_build: str | None = None
    released: date | None = None
    code_lines: int | None = None
    size_bytes: int | None = None
    remarks: tuple[str, ...] = ()


def collect(entry: Entry, runtime: Runtime, releases: Path) -> Facts:
    """Returns the facts of an entry that has been built.

    The date of the release is that which the build found in the packages, else that which the package index tells.
    `releases` is a file that keeps the dates of releases, because a package index is slow to answer.
    """
    printed, date_, size, remarks = Printed(), None, None, []
    try:
        printed = printed_facts(entry, runtime)
    except EntryError as error:
        remarks.append(f"licence, number of packages and runtime are not known: {error.message}")
    try:
        date_ = printed.released or released(entry, releases, runtime.name)
        if date_ is None and entry.version(runtime.name) is not None:
            remarks.append("the date of its release is not known: the package index did not tell")
    except EntryError as error:
        remarks.append(f"the date of its release is not known: {error.message}")
    try:
        size = runtime.size_bytes(entry)
    except EntryError as error:
        remarks.append(f"its size is not known: {error.message}")
    return Facts(
        version=printed.version,
        licence=printed.licence,
        packages=printed.packages,
        runtime=printed.runtime,
        runtime_build=printed.runtime_build,
        released=date_,
        code_lines=code_lines(entry),
        size_bytes=size,
        remarks=tuple(remarks),
    )


def printed_facts(entry: Entry, runtime: Runtime) -> Printed:
    """Runs the facts command of an entry that has been built. Raises EntryError where it fails or prints no facts.

    Where it tells no licence and no number of packages of an entry with Debian's packages, they are read from the
    package and from the lock.
    """
    command = entry.language.manifest.facts
    output = runtime.run_facts(entry, command) if command else "{}"
    try:
        printed = Printed.model_validate_json(output)
    except ValidationError as error:
        raise misprinted(entry, "facts", output, error) from error
    if entry.language.manifest.registry != debian.REGISTRY or entry.lock(runtime.name) is None:
        return printed
    found: dict[str, object] = {}
    if printed.licence is None:
        name = entry.manifest.package.partition(":")[2]
        found["licence"] = debian_packages.licence_of(
            runtime.run_facts(entry, ["cat", debian_packages.licence_file(name)])
        )
    if printed.packages is None:
        found["packages"] = len(entry.locked_versions(runtime.name))
    return printed.model_copy(update=found)


def released(entry: Entry, dates: Path, target: str = "native") -> date | None:
    """When the version of the entry's package that runs on a target was published. None: unknown, or no network.

    `dates` is a file of dates that were found before. It is read first, because a package index answers slowly.
    Raises EntryError where the language's packages.py has a mistake.
    """
    version = entry.version(target)
    if version is None:
        return None
    known = _read_dates(dates)
    key = f"{entry.manifest.package}=={version}"
    if key not in known:
        found = release_date(entry.language.folder, entry.manifest.package, version)
        if found is None:
            return None
        known = _read_dates(dates) | {key: found.isoformat()}
        try:
            write_atomically(dates, json.dumps(known, indent=1).encode())
        except UnwritableError:
            return found  # without the file the next run looks the date up again
    return date.fromisoformat(known[key])


def _read_dates(file: Path) -> dict[str, str]:
    try:
        return {str(key): str(value) for key, value in json.loads(file.read_bytes()).items()}
    except (OSError, ValueError, AttributeError):
        return {}


def code_lines(entry: Entry) -> int | None:
    """Returns how many lines of the app's own code are not blank, None where there is no such line."""
    patterns = entry.language.manifest.code
    # the entry's own files take the place of those of the entry whose code it runs
    files = {
        path.relative_to(folder): path
        for folder in (entry.code_folder, entry.folder)
        for pattern in patterns
        for path in folder.rglob(pattern)
    }
    lines = (line for f in files.values() for line in f.read_text(encoding="utf-8", errors="replace").splitlines())
    return sum(bool(line.strip()) for line in lines) or None
