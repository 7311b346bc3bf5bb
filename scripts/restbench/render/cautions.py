"""Warnings about a finished run: what makes its figures less reliable, and the remedy."""

from collections import Counter
from collections.abc import Iterable

from restbench.catalog.profiles import Profile
from restbench.loadgen import OHA
from restbench.results.models import EntryResult, Limit

_MANY = 0.25
"""Share of refused rounds above which a warning is given."""


def warnings_of(results: list[EntryResult], profile: Profile) -> Iterable[str]:
    """Yields one line for each problem of the run, with its remedy."""
    cells = [cell for result in results for cell in result.cells]
    refused = Counter[str]()
    for cell in cells:
        refused.update(cell.refused)
    rounds = refused.total() + sum(cell.solo.count for cell in cells)
    if not rounds:
        return
    machines = [run.machine for result in results for run in result.runs.values()]
    if any(not machine.pinned for machine in machines):
        yield (
            "one CPU only: app and load generator share it, so every throughput is a lower bound. "
            "Use a machine with two or more CPUs."
        )
    if refused.total() > _MANY * rounds:
        reason, count = refused.most_common(1)[0]
        yield (
            f"{refused.total()} of {rounds} rounds were refused, {count} of them because: {reason}. "
            "Stop other programs, or take a profile with more rounds, such as --profile full."
        )
    if noisy := sum(set(cell.solo.limit) == {Limit.NOISE} for cell in cells):
        yield (
            f"{noisy} of {len(cells)} cells were limited by something other than the app and are not compared. "
            "Stop other programs and measure again."
        )
    if slow := sum(any("no PGO" in (run.runtime_build or "") for run in result.runs.values()) for result in results):
        yield (
            f"{slow} of {len(results)} entries ran on an interpreter that was compiled without profile-guided "
            "optimisation (PGO), and are slower than elsewhere. restbench doctor names the remedy."
        )
    if profile.latency_rounds and not all(machine.had(OHA.name) for machine in machines):
        yield f"latency at a fixed rate was not measured: {OHA.name} is missing: {OHA.remedy}."
