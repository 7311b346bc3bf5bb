"""How far each entry of a team has come."""

import statistics
from collections.abc import Iterable
from dataclasses import dataclass, field

from restbench.catalog import USUAL_SETUP, Cell, Entry, Setup
from restbench.conformance import Answer
from restbench.measure.gate import lost_answers
from restbench.results.models import Ceiling, Failure, RuntimeSettings
from restbench.results.rounds import DuetRound, LatencyRound, Round, SoloRound, refusals


@dataclass
class Progress:
    """How far one entry in one setup has come.

    `failures`: the cells that failed. `not_run`: the cells that this machine cannot measure, with the reason.

    `beside`: whether it is measured only for the sake of others, to which it is the baseline or the reference.

    `team`: the entries that are measured at the same time, by id.

    `partners`: the cell that a cell is compared with: the baseline's, or that of the other version. `no_partner`: why a
    cell has none, or no more duet rounds with it.

    `unsettled`: the cells whose CPU time per request still changed when their last warm-up ended, with its seconds.

    `resting`: the cells that are not loaded in the present start of the app.

    `missed`: whether this machine or a server failed, so that cells are not measured. `slow_build`: whether that was
    because its build ran out of time.
    """

    entry: Entry
    cells: list[Cell]
    setup: Setup = USUAL_SETUP
    not_run: dict[Cell, str] = field(default_factory=dict)
    beside: bool = False
    team: "dict[str, Progress]" = field(default_factory=dict)
    partners: dict[Cell, Cell] = field(default_factory=dict)
    no_partner: dict[Cell, str] = field(default_factory=dict)
    solo: dict[Cell, list[SoloRound]] = field(default_factory=dict)
    duets: dict[Cell, list[DuetRound]] = field(default_factory=dict)
    latency: dict[Cell, list[LatencyRound]] = field(default_factory=dict)
    unsettled: dict[Cell, float] = field(default_factory=dict)
    resting: set[Cell] = field(default_factory=set)
    features: dict[Cell, dict[str, bool]] = field(default_factory=dict)
    failures: dict[Cell, Failure] = field(default_factory=dict)
    missed: bool = False
    slow_build: bool = False
    runtime_settings: RuntimeSettings = field(default_factory=dict)
    start_seconds: float | None = None
    first_answer: Answer | None = None
    idle_cpu_share: float | None = None
    memory_start_bytes: int | None = None
    memory_after_bytes: int | None = None
    ceiling: Ceiling | None = None

    def keep(self, cell: Cell, result: Round) -> None:
        """Adds a finished round of a cell."""
        match result:
            case SoloRound():
                self.solo.setdefault(cell, []).append(result)
            case DuetRound():
                self.duets.setdefault(cell, []).append(result)
            case LatencyRound():
                self.latency.setdefault(cell, []).append(result)

    @property
    def needs_backend_cells(self) -> list[Cell]:
        """The cells of `alive` that need a backend."""
        return [cell for cell in self.alive if self.entry.needs_backend(cell)]

    def leave_out(self, reason: str) -> None:
        """Ends the measurement of the cells that need the backend. The rounds that they have stay."""
        self.not_run.update(dict.fromkeys(self.needs_backend_cells, reason))

    def miss(self, reason: str, cell: Cell | None = None, *, slow_build: bool = False) -> None:
        """Ends the measurement of the cell, or of all, because this machine or a server failed. Their rounds stay."""
        self.not_run.update(dict.fromkeys([cell] if cell else self.alive, reason))
        self.missed, self.slow_build = True, slow_build

    def void(self, cells: Iterable[Cell], reason: str) -> None:
        """Forgets what was measured of cells, and that they failed. Ends their measurement, as miss() does."""
        for cell in cells:
            self.failures.pop(cell, None)
            self.features.pop(cell, None)
            self.solo.pop(cell, None)
            self.duets.pop(cell, None)
            self.latency.pop(cell, None)
            self.not_run[cell] = reason
            self.missed = True
        self.start_seconds = self.idle_cpu_share = self.first_answer = self.ceiling = None
        self.memory_start_bytes = self.memory_after_bytes = None

    def misses(self, cell: Cell) -> bool:
        """Whether the cell is not measured because this machine or a server failed."""
        return self.missed and cell in self.not_run

    def partner_rounds(self, cell: Cell) -> list[SoloRound]:
        """The solo rounds of the cell's partner in the same team that are not refused."""
        partner = self.partners.get(cell)
        other = self.team.get(partner.entry) if partner else None
        return other.counted(partner) if other and partner else []

    @property
    def alive(self) -> list[Cell]:
        """The cells that have not failed so far and that this machine can measure."""
        return [cell for cell in self.cells if cell not in self.failures and cell not in self.not_run]

    @property
    def loaded(self) -> list[Cell]:
        """The cells of `alive` whose scenario is measured under load, without the resting ones."""
        return [cell for cell in self.alive if self.entry.scenario(cell).loaded and cell not in self.resting]

    def counted(self, cell: Cell) -> list[SoloRound]:
        """The solo rounds of the cell that are not refused."""
        return [r for r in self.solo.get(cell, []) if not r.invalid]

    def refused(self, cell: Cell) -> int:
        """How many solo rounds of the cell are refused."""
        return len(self.solo.get(cell, [])) - len(self.counted(cell))

    def lost(self, cell: Cell) -> tuple[int, int]:
        """Returns in how many rounds of the cell answers were lost, and how many rounds it has."""
        rounds: list[SoloRound | LatencyRound] = [*self.solo.get(cell, []), *self.latency.get(cell, [])]
        return sum(lost_answers(each.errors, each.invalid) for each in rounds), len(rounds)

    def throughput(self, cell: Cell) -> float | None:
        """Returns the median throughput of the cell's solo rounds, in requests per second; None before the first.

        Only rounds that count are taken, unless none does.
        """
        rounds = self.counted(cell) or self.solo.get(cell, [])
        return statistics.median(r.throughput for r in rounds) if rounds else None

    def why_out(self, cell: Cell) -> str:
        """Returns the reason why a cell is not measured any more, or has no rounds that count."""
        if out := self.failures.get(cell) or self.not_run.get(cell):
            return str(out)
        refused = refusals(self.solo.get(cell, []))
        return (
            f"its rounds were refused: {max(refused, key=lambda why: refused[why])}" if refused else "it has no rounds"
        )
