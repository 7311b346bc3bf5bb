"""How far each entry of a job has come."""

from dataclasses import dataclass, field

from restbench.catalog import USUAL_SETUP, Cell, Entry, Setup
from restbench.results.models import Ceiling, Failure, Round


@dataclass
class Progress:
    """How far one entry, started in one way, has come. `failures` are its cells that are out, `not_run` those that
    this machine cannot measure."""

    entry: Entry
    cells: list[Cell]
    setup: Setup = USUAL_SETUP
    not_run: dict[Cell, str] = field(default_factory=dict)
    rounds: dict[Cell, list[Round]] = field(default_factory=dict)
    marks: dict[Cell, dict[str, bool]] = field(default_factory=dict)
    failures: dict[Cell, Failure] = field(default_factory=dict)
    start_seconds: float | None = None
    idle_cpu_share: float | None = None
    memory_start_bytes: int | None = None
    memory_after_bytes: int | None = None
    ceiling: Ceiling | None = None

    @property
    def beside_backend(self) -> list[Cell]:
        """The cells that need a backend and are right as far as is known."""
        return [cell for cell in self.alive if self.entry.needs_backend(cell)]

    def leave_out(self, reason: str) -> None:
        """What needs the backend is not measured from here on; what was measured of it stays."""
        self.not_run.update(dict.fromkeys(self.beside_backend, reason))

    @property
    def alive(self) -> list[Cell]:
        """The cells that are right as far as is known."""
        return [cell for cell in self.cells if cell not in self.failures and cell not in self.not_run]

    @property
    def loaded(self) -> list[Cell]:
        """Those of them that are measured."""
        return [cell for cell in self.alive if self.entry.scenario(cell).loaded]


def attach_reference(entries: list[Progress], reference: Progress) -> None:
    """Puts the reference's throughput of the same round beside each round, where that counts."""
    by_round = {r.index: r.paced_throughput for rounds in reference.rounds.values() for r in rounds if not r.invalid}
    for progress in entries:
        for cell, rounds in progress.rounds.items():
            progress.rounds[cell] = [
                r.model_copy(update={"reference_throughput": by_round.get(r.index)}) for r in rounds
            ]
