"""What a person should know before they trust a run, and what they can do about it."""

from collections.abc import Iterable

from restbench.profiles import Profile
from restbench.results.models import EntryResult, Limit

_MANY = 0.25
"""Share of rounds that may be left out before it is worth a word."""


def warnings_of(results: list[EntryResult], profile: Profile) -> Iterable[str]:
    """A line each: what was seen, and what can be done."""
    rounds = [r for result in results for cell in result.cells for r in cell.rounds]
    machines = [run.machine for result in results for run in result.runs.values()]
    if not rounds:
        return
    if profile.pin and any(not machine.pinned for machine in machines):
        yield "one CPU only: app and load generator share it, and nothing ranks. Use a machine with two or more."
    noisy = [r for r in rounds if r.limit == Limit.NOISE or r.invalid or r.slow]
    if profile.pin and len(noisy) > _MANY * len(rounds):
        yield (
            f"{len(noisy)} of {len(rounds)} rounds were disturbed: something else used the CPUs, or slowed them. "
            "Stop other programs, or take a profile with more rounds, such as PROFILE=full."
        )
    if profile.fixed_rate and any(machine.oha is None for machine in machines):
        yield "latency at a fixed rate was not measured: oha is missing, run make tools."
