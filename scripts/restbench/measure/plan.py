"""What a run measures, and with what. Its entries are built before anything is measured."""

import secrets
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from restbench.backends import Backend
from restbench.catalog import Entry
from restbench.errors import EntryError, MachineError, SlowBuildError
from restbench.measure.events import Building, Built, Failed, Missing, Observer, Remarked
from restbench.measure.outcome import BuiltEntry, Invocation
from restbench.measure.progress import Progress
from restbench.measure.team import unforeseen
from restbench.measure.tools import Tools
from restbench.results.journal import AskedLine
from restbench.results.models import Failure, Machine
from restbench.system.pools import result_of, stoppable_pool
from restbench.targets import BUILDS_AT_A_TIME, Runtime
from restbench.targets.building import room_for
from restbench.targets.facts import Facts


@dataclass(frozen=True)
class Plan:
    """What a run does. `baselines` has the baseline of each language.

    `collect`: finds out the facts of an entry that was built. `make_backend`: makes the backend, where a suite of the
    run needs one. `build_seconds`: how long an entry's build took elsewhere, if that is known.
    """

    entries: list[Entry]
    reference: Entry | None
    baselines: dict[str, Entry]
    suites: list[str]
    tools: Tools
    runtime: Runtime
    machine: Machine
    collect: Callable[[Entry], Facts]
    make_backend: Callable[[], Backend]
    seed: int = field(default_factory=lambda: secrets.randbits(32))
    build_seconds: Callable[[Entry], float | None] = lambda _entry: None

    @property
    def beside(self) -> list[Entry]:
        """The baselines and the reference, which are measured for the sake of others."""
        return [*self.baselines.values(), *([self.reference] if self.reference else [])]

    def begin(self) -> Invocation:
        """Returns what is the same for all entries of a run that begins now."""
        started = datetime.now(UTC)
        name = f"{started:%Y%m%dT%H%M%SZ}-{self.seed:08x}"
        return Invocation(name, started, self.runtime.name, self.tools.profile.name, self.machine)

    def asked(self, invocation: Invocation) -> AskedLine:
        """Returns the first line of the journal of a run."""
        return AskedLine(
            run=invocation.id,
            started=invocation.started,
            seed=self.seed,
            profile=self.tools.profile.name,
            target=self.runtime.name,
            suites=self.suites,
            entries=hashes_of(self.entries),
            beside=hashes_of(self.beside),
            folders={entry.id: str(entry.origin) for entry in self.entries if entry.origin},
            machine=self.machine,
        )


def hashes_of(entries: Iterable[Entry]) -> dict[str, str]:
    """Returns a hash of each entry's files."""
    return {entry.id: entry.files_hash() for entry in entries}


def build_all(plan: Plan, everyone: Iterable[Progress], observe: Observer) -> dict[str, BuiltEntry]:
    """Builds all entries. Returns those that were built, by entry. The cells of others fail, or are not measured.

    They are built side by side, because nothing else needs the CPUs yet.
    """
    parts: dict[str, list[Progress]] = {}
    for progress in everyone:
        parts.setdefault(progress.entry.id, []).append(progress)

    def build(same: list[Progress]) -> tuple[str, BuiltEntry | None]:
        entry = same[0].entry
        try:
            return entry.id, _make(plan, entry, observe)
        except (MachineError, OSError) as error:
            for progress in same:
                progress.miss(str(error), slow_build=isinstance(error, SlowBuildError))
            observe(Missing(entry.id, str(error)))
            return entry.id, None
        except EntryError as error:
            failure, detail = Failure(check="build", got=error.message), error.detail
        except Exception as error:  # a fault in one entry must not end the run of the others
            failure, detail = unforeseen(error), traceback.format_exc()
        for progress in same:
            progress.failures.update(dict.fromkeys(progress.cells, failure))
        observe(Failed(entry.id, None, failure, detail))
        return entry.id, None

    with stoppable_pool(BUILDS_AT_A_TIME) as pool:
        begun = [pool.submit(build, same) for same in parts.values()]
        return {name: made for name, made in map(result_of, begun) if made}


def _make(plan: Plan, entry: Entry, observe: Observer) -> BuiltEntry:
    """Builds an entry, and finds out its facts. Raises EntryError."""
    if lacking := plan.runtime.unavailable_reason(entry):
        raise EntryError(f"{entry.id}: {lacking}")
    observe(Building(entry.id))
    with room_for(entry):
        built = plan.runtime.build(entry)
        observe(Built(entry.id, built.seconds, built.cached))
        facts = plan.collect(entry)
    for remark in facts.remarks:
        observe(Remarked(entry.id, remark))
    return BuiltEntry(built, facts)
