"""What a run tells while it goes on. Renderers turn these into progress; the run does not know them."""

from collections.abc import Callable
from dataclasses import dataclass

from restbench.catalog import Cell
from restbench.results.models import Failure
from restbench.results.rounds import Round


@dataclass(frozen=True)
class Planned:
    """How much there is to do: rounds with warm-ups, and seconds of load."""

    visits: int
    seconds: float


@dataclass(frozen=True)
class Building:
    entry: str


@dataclass(frozen=True)
class Built:
    entry: str
    seconds: float | None
    cached: bool


@dataclass(frozen=True)
class Remarked:
    """Something about an entry that keeps nothing from going on, and that a person should know."""

    entry: str
    text: str


@dataclass(frozen=True)
class Verifying:
    """Conformance runs against the started app."""

    entry: str


@dataclass(frozen=True)
class Failed:
    """A cell is out, or, where `cell` names no scenario, the whole entry."""

    entry: str
    cell: Cell | None
    failure: Failure
    detail: str = ""


@dataclass(frozen=True)
class Visited:
    """One round is over; `result` is None after a warm-up."""

    cell: Cell
    result: Round | None


Event = Planned | Building | Built | Remarked | Verifying | Failed | Visited
Observer = Callable[[Event], None]
