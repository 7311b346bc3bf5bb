"""Finds the entries that a change concerns, from the files that it touches."""

from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from restbench.catalog import Catalog, Entry
from restbench.catalog.folders import NO_ENTRIES
from restbench.catalog.load import AWAITED
from restbench.errors import ResultsError, UsageError
from restbench.measure.machine import is_in, is_measuring
from restbench.system.advice import option
from restbench.system.git import git

HARNESS = (
    "fixtures/",
    "frameworks/reference/",
    "scripts/",
    ".github/",
    "Makefile",
    "pyproject.toml",
    "requirements.txt",
)
"""Everything that runs in the job of a pull request beside its entries, as paths from the root. Folders end in a slash.
The job's results are only as trustworthy as these files."""

BASE = "base"
"""The revision of entries from the base checkout, with which this checkout is compared."""


@dataclass(frozen=True)
class Change:
    """The entries whose own or shared files a change touches, and the files that every figure depends on."""

    entries: list[Entry]
    harness: list[str]


def changed_files(root: Path, since: str, *, from_merge_base: bool = True) -> list[str]:
    """Returns the files that differ between HEAD and its merge base with `since`, as paths from the root.

    With `from_merge_base=False`, returns those that differ between HEAD and `since` itself. After a forced push this is
    also what the push has dropped.

    Raises UsageError where git cannot tell, such as for a commit that is not in the checkout, and ResultsError where it
    reads no checkout here.
    """
    git(root, "rev-parse", "--git-dir")  # where it is no checkout that git reads, `git diff` only says how it is used
    dots = "..." if from_merge_base else ".."
    try:
        printed = git(root, "diff", "--name-only", "-z", "--no-renames", f"{since}{dots}HEAD", "--")
    except ResultsError as error:
        raise UsageError(f"{error.message}; fetch that commit, or leave {option('since')} out") from error
    return [path for path in printed.split("\0") if path]


def change_of(paths: list[str], catalog: Catalog) -> Change:
    """Returns the entries that the files concern, and the files of the harness.

    The files of an entry also concern the entries that run its code. The shared files of a language concern all its
    entries. Its template and removed entries concern no entry.
    """
    concerned: set[str] = set()
    for path in paths:
        parts = PurePosixPath(path).parts
        if len(parts) < 3 or parts[0] != "frameworks":
            continue
        if len(parts) > 3 and parts[2] not in NO_ENTRIES:
            concerned.add(f"{parts[1]}/{parts[2]}")
        elif parts[2] != "template":
            concerned |= {e.id for e in catalog.ranked if e.language.name == parts[1]}
    return Change(
        entries=[
            entry
            for entry in catalog.ranked
            if any(f"{entry.language.name}/{each.name}" in concerned for each in (entry.folder, entry.code_folder))
        ],
        harness=[path for path in paths if is_measuring(path)],
    )


def base_of(entry: Entry, catalog: Catalog, before: Catalog) -> Entry | None:
    """Returns the entry as the base checkout `before` has it, but with the suites and the contract of this checkout.

    None where the base checkout does not have the entry, under its present name or a former one.
    """
    known = (before.entries.get(name) for name in (entry.id, *catalog.former_names(entry.id)))
    found = next((each for each in known if each), None)
    return replace(found, revision=BASE, suites=entry.suites) if found else None


def sample(catalog: Catalog) -> list[Entry]:
    """The entries that are measured in place of all when the harness changes. Those that are missing are left out."""
    return [entry for entry in catalog.ranked if entry.id in catalog.selections.sample]


def places_of_harness(paths: list[str]) -> list[str]:
    """Returns the paths of HARNESS that the files are in, and the files of languages that are below no entry.

    A language's packages.py runs inside the harness, and its other files say how all of its entries are built.
    """
    places = {place for place in HARNESS for path in paths if is_in(path, place)}
    for path in paths:
        if path == f"frameworks/{AWAITED}":  # a new entry takes its line out, and no figure depends on it
            continue
        parts = PurePosixPath(path).parts
        if parts[0] == "frameworks" and len(parts) <= 3:
            places.add(path)
        elif parts[0] == "frameworks" and parts[2] in NO_ENTRIES:
            places.add(f"{'/'.join(parts[:3])}/")
    return sorted(places)


DOCUMENTS = (
    ".github/ISSUE_TEMPLATE/",
    "docs/",
    "results/",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
)
"""Files that no app and no part of the harness reads, as paths from the root. Folders end in a slash."""


@dataclass(frozen=True)
class Scope:
    """`everything`: whether the harness is tested, with all that hangs on it. `entries`: those to verify without it."""

    everything: bool
    entries: list[str] = field(default_factory=list)


def scope_of(paths: list[str], catalog: Catalog) -> Scope:
    """Returns what a change of these files is tested with, beside the linters.

    A change of only entries is tested by verifying them. What several entries share, and every file that is not known
    here, is the harness.
    """
    own = [path for path in paths if not any(is_in(path, place) for place in DOCUMENTS)]
    for path in own:
        parts = PurePosixPath(path).parts
        below_entry = len(parts) > 3 and parts[0] == "frameworks" and parts[2] not in NO_ENTRIES
        if not below_entry or parts[1] == "reference":
            return Scope(everything=True)
    return Scope(everything=False, entries=[entry.id for entry in change_of(own, catalog).entries])
