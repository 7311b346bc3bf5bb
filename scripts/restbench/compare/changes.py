"""Which entries a change concerns, by the files that it touches."""

import subprocess
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from restbench.catalog import Catalog, Entry
from restbench.catalog.load import NO_ENTRIES
from restbench.errors import UsageError

HARNESS = (
    "fixtures/",
    "scripts/",
    ".github/workflows/",
    ".github/actions/",
    "frameworks/reference/",
    "Makefile",
    "pyproject.toml",
    "requirements.txt",
)
"""What every figure depends on, as paths from the root; those of folders end in a slash."""

SAMPLE = ("python/falcon", "rust/axum")
"""What stands for all entries when the harness changes: the plainest of an interpreted and of a compiled language."""

BASE = "base"
"""What marks an entry of the checkout that is compared with."""


@dataclass(frozen=True)
class Change:
    """The entries whose own or shared files a change touches, and the files of the harness among those it touches."""

    entries: list[Entry]
    harness: list[str]


def changed_files(root: Path, since: str) -> list[str]:
    """What differs between the merge base with `since` and HEAD, as paths from the root. Raises UsageError."""
    command = ["git", "-C", str(root), "diff", "--name-only", "-z", "--no-renames", f"{since}...HEAD"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        said = (ran.stderr.strip().splitlines() or ["git said nothing"])[-1]
        raise UsageError(f"what changed since {since} cannot be told: {said}; fetch that commit, or leave --since out")
    return [path for path in ran.stdout.split("\0") if path]


def change_of(paths: list[str], catalog: Catalog) -> Change:
    """Whom the files concern. A language's shared files concern all its entries; what is gone concerns nobody."""
    concerned: set[str] = set()
    for path in paths:
        parts = PurePosixPath(path).parts
        if len(parts) < 3 or parts[0] != "frameworks":
            continue
        if len(parts) > 3 and parts[2] not in NO_ENTRIES:
            concerned.add(f"{parts[1]}/{parts[2]}")
        elif parts[2] != "template":
            concerned |= {e.id for e in catalog.ranked if e.language.name == parts[1]}
    harness = [path for path in paths if places_of_harness([path])]
    return Change([entry for entry in catalog.ranked if entry.id in concerned], harness)


def base_of(entry: Entry, before: Catalog) -> Entry | None:
    """The entry as another checkout has it, held to the contract of this one."""
    found = before.entries.get(entry.id)
    return replace(found, revision=BASE, suites=entry.suites) if found else None


def sample(catalog: Catalog) -> list[Entry]:
    """The entries of the fixed sample that are there."""
    return [entry for entry in catalog.ranked if entry.id in SAMPLE]


def places_of_harness(paths: list[str]) -> list[str]:
    """Which of HARNESS the files are in."""
    return sorted({place for place in HARNESS for path in paths if _is_in(path, place)})


def _is_in(path: str, place: str) -> bool:
    return path.startswith(place) if place.endswith("/") else path == place
