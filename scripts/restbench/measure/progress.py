"""How far each entry of a group has come."""

import statistics
from dataclasses import dataclass, field

from restbench.catalog import USUAL_SETUP, Cell, Entry, Setup
from restbench.conformance import AnswerSizes
from restbench.results.models import Ceiling, Failure
from restbench.results.rounds import DuetRound, LatencyRound, Round, SoloRound


@dataclass
class Progress:
    """How far one entry, started in one way, has come. `failures` are its cells that are out, `not_run` those that
    this machine cannot measure.

    `sizes`: how large right answers of a cell are.

    `verified`: the cells that were asked before load whether they keep the contract.

    `partners`: the baseline's cell that a cell is measured against; `no_duets`: why it is not, or no longer.
    """

    entry: Entry
    cells: list[Cell]
    setup: Setup = USUAL_SETUP
    not_run: dict[Cell, str] = field(default_factory=dict)
    partners: dict[Cell, Cell] = field(default_factory=dict)
    no_duets: dict[Cell, str] = field(default_factory=dict)
    solo: dict[Cell, list[SoloRound]] = field(default_factory=dict)
    duets: dict[Cell, list[DuetRound]] = field(default_factory=dict)
    latency: dict[Cell, list[LatencyRound]] = field(default_factory=dict)
    baseline_throughput: dict[Cell, float] = field(default_factory=dict)
    marks: dict[Cell, dict[str, bool]] = field(default_factory=dict)
    verified: set[Cell] = field(default_factory=set)
    sizes: dict[Cell, AnswerSizes] = field(default_factory=dict)
    failures: dict[Cell, Failure] = field(default_factory=dict)
    start_seconds: float | None = None
    idle_cpu_share: float | None = None
    memory_start_bytes: int | None = None
    memory_after_bytes: int | None = None
    ceiling: Ceiling | None = None

    def keep(self, cell: Cell, result: Round) -> None:
        """A round of a cell is finished."""
        match result:
            case SoloRound():
                self.solo.setdefault(cell, []).append(result)
            case DuetRound():
                self.duets.setdefault(cell, []).append(result)
            case LatencyRound():
                self.latency.setdefault(cell, []).append(result)

    @property
    def needs_backend_cells(self) -> list[Cell]:
        """The cells that need a backend and are right as far as is known."""
        return [cell for cell in self.alive if self.entry.needs_backend(cell)]

    def leave_out(self, reason: str) -> None:
        """What needs the backend is not measured from here on; what was measured of it stays."""
        self.not_run.update(dict.fromkeys(self.needs_backend_cells, reason))

    def give_up_duets(self, cells: list[Cell], reason: str) -> None:
        """The cells have no duet rounds from here on; those that they have stay."""
        for cell in cells:
            self.no_duets.setdefault(cell, reason)

    def partner(self, cell: Cell) -> Cell | None:
        """What the cell is measured against in duet rounds, for as long as it is."""
        return None if cell in self.no_duets else self.partners.get(cell)

    @property
    def alive(self) -> list[Cell]:
        """The cells that are right as far as is known."""
        return [cell for cell in self.cells if cell not in self.failures and cell not in self.not_run]

    @property
    def loaded(self) -> list[Cell]:
        """Those of them that are measured."""
        return [cell for cell in self.alive if self.entry.scenario(cell).loaded]

    def counted_solo(self, cell: Cell) -> int:
        return sum(not r.invalid for r in self.solo.get(cell, []))

    def counted_duets(self, cell: Cell) -> int:
        return sum(not r.invalid for r in self.duets.get(cell, []))

    def throughput(self, cell: Cell) -> float | None:
        """The median of the cell's solo rounds that count, else of all; None before the first."""
        rounds = self.solo.get(cell, [])
        counted = [r.throughput for r in rounds if not r.invalid] or [r.throughput for r in rounds]
        return statistics.median(counted) if counted else None
