"""The paths in the repository. Only this module knows the layout."""

import os
from dataclasses import dataclass
from pathlib import Path

from restbench.errors import UsageError


@dataclass(frozen=True)
class Repository:
    """A checkout of restbench (or, in tests, a folder of the same shape)."""

    root: Path

    @property
    def frameworks(self) -> Path:
        return self.root / "frameworks"

    @property
    def fixtures(self) -> Path:
        return self.root / "fixtures"

    @property
    def results(self) -> Path:
        """The published results. Merging a run changes them, and measuring does not."""
        return self.root / "results"

    @property
    def out(self) -> Path:
        """The output of the last run on this machine. Git ignores it."""
        return self.root / "out"

    @property
    def state(self) -> Path:
        """Environments of entries, build logs and caches. Git ignores them, and they are safe to remove."""
        return self.root / ".restbench"

    @property
    def entries(self) -> Path:
        """Copies of entries in folders outside of the checkout."""
        return self.state / "entries"

    @property
    def schemas(self) -> Path:
        return self.root / "schemas"

    def relative(self, path: Path) -> str:
        """Returns the path as messages show it: from the root, where it is below the root."""
        return str(path.relative_to(self.root)) if path.is_relative_to(self.root) else str(path)


def find_repository() -> Repository:
    """Returns the repository that $RESTBENCH_ROOT names, else the checkout that this package is in.

    Raises UsageError where there is no frameworks/ folder in it.
    """
    named = os.environ.get("RESTBENCH_ROOT")
    root = Path(named).resolve() if named else Path(__file__).resolve().parents[3]
    if not (root / "frameworks").is_dir():
        raise UsageError(f"{root} has no frameworks/ folder: run this in a checkout, or set RESTBENCH_ROOT to one")
    return Repository(root)
