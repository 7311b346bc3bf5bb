"""What has to be tested of a change."""

from dataclasses import dataclass, field
from pathlib import PurePosixPath

from restbench.catalog import Catalog
from restbench.catalog.load import NO_ENTRIES
from restbench.changes.touched import change_of
from restbench.system.measuring import is_in

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

    A change of entries alone is tested by verifying them. What several entries share, and every file that is not known
    here, is the harness.
    """
    own = [path for path in paths if not any(is_in(path, place) for place in DOCUMENTS)]
    if not all(map(_is_of_an_entry, own)):
        return Scope(everything=True)
    return Scope(everything=False, entries=[entry.id for entry in change_of(own, catalog).entries])


def _is_of_an_entry(path: str) -> bool:
    """Whether the file is below an entry's folder."""
    parts = PurePosixPath(path).parts
    return len(parts) > 3 and parts[0] == "frameworks" and parts[2] not in NO_ENTRIES and parts[1] != "reference"
