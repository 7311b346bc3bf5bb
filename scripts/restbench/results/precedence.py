"""Which of two results of a cell is published: the newer one, unless the published one says more.

A run by hand may be short, or on another machine, and a job that waited long measures an older commit than the one that
was published meanwhile.
"""

from collections.abc import Callable
from dataclasses import dataclass

from restbench.catalog.profiles import load_profiles
from restbench.results.models import Run


@dataclass(frozen=True)
class Precedence:
    """Decides whether the figures of a run take the place of published ones.

    `is_ancestor`: whether the first of two commits comes before the second in the history of a branch. Without it, the
    time of the runs decides. `replace`: a person said that this run replaces what is published, if it is newer.
    """

    is_ancestor: Callable[[str, str], bool] = lambda _commit, _other: False
    replace: bool = False

    def why_kept(self, published: Run, run: Run) -> str | None:
        """Why the published figures stay. None where the run takes their place."""
        is_later = self.is_before(published.machine.commit, run)
        if self.is_before(run.machine.commit, published) or (run.started < published.started and not is_later):
            return "they are newer than this run"
        return None if self.replace else is_smaller(run, published)

    def is_before(self, commit: str | None, run: Run) -> bool:
        """Whether a commit comes before the one that a run measured. False where it is not known."""
        after = run.machine.commit
        return bool(commit and after and commit != after and self.is_ancestor(commit, after))


USUAL = Precedence()


def is_smaller(run: Run, published: Run) -> str | None:
    """Why the published figures say more than those of a run with a smaller profile. None where they do not."""
    if _size(run.profile) >= _size(published.profile):
        return None
    return f"they are of the profile {published.profile}, which measures more than {run.profile}"


def is_elsewhere(run: Run, published: Run) -> str | None:
    """Why the figures of a run cannot be compared with the published ones: another machine. None where they can."""
    here, there = run.machine.machine_class, published.machine.machine_class
    return None if here == there else f"they are of the machine class {there}, and this run is of {here}"


def _size(profile: str) -> float:
    """How much a profile measures: the seconds of its rounds of one cell. An unknown profile measures nothing."""
    found = load_profiles().get(profile)
    if found is None:
        return 0.0
    return found.solo_rounds * found.solo_seconds + found.latency_rounds * found.latency_seconds
