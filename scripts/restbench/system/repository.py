"""Where things are: the one place that knows the repository's layout."""

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
        """What the service published; changed by `merge` alone."""
        return self.root / "results"

    @property
    def out(self) -> Path:
        """What the last run on this machine wrote; ignored by git."""
        return self.root / "out"

    @property
    def state(self) -> Path:
        """Environments of entries, build logs, caches; ignored by git, safe to remove."""
        return self.root / ".restbench"

    @property
    def schemas(self) -> Path:
        return self.root / "schemas"

    @property
    def chart_js(self) -> Path:
        return self.root / "site" / "vendor" / "chart.js" / "chart.umd.min.js"

    def relative(self, path: Path) -> str:
        """The path as messages show it."""
        return str(path.relative_to(self.root)) if path.is_relative_to(self.root) else str(path)


def find_repository() -> Repository:
    """The repository that $RESTBENCH_ROOT names, else the checkout this package lives in."""
    named = os.environ.get("RESTBENCH_ROOT")
    root = Path(named).resolve() if named else Path(__file__).resolve().parents[3]
    if not (root / "frameworks").is_dir():
        raise UsageError(f"{root} has no frameworks/ folder: run this in a checkout, or set RESTBENCH_ROOT to one")
    return Repository(root)
