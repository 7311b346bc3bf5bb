"""Events that a run reports while it goes on. Renderers show them as progress; the run does not know the renderers."""

from collections.abc import Callable
from dataclasses import dataclass

from restbench.catalog import Cell
from restbench.results.models import Failure
from restbench.results.rounds import Round
from restbench.system.programs import Others
from restbench.system.quotas import Quota


@dataclass(frozen=True)
class Planned:
    """How much there is to do: the number of rounds and warm-ups, and the seconds that all that is left takes, about.

    A comparison that goes on announces more, and `visits` has those that are over.
    """

    visits: int
    seconds: float


@dataclass(frozen=True)
class Disturbed:
    """Other programs use the CPUs, so that rounds may be refused. The run goes on.

    `refused`: how many rounds in a row were refused for that reason; 0 before the load.
    """

    others: Others
    refused: int = 0


@dataclass(frozen=True)
class Throttled:
    """So many rounds in a row were refused, because a CPU quota throttled them. The run goes on."""

    quota: Quota | None
    refused: int


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
    """A remark on an entry or a backend that a person should know. The run goes on."""

    entry: str
    text: str


@dataclass(frozen=True)
class Verifying:
    """The started app is being verified."""

    entry: str


@dataclass(frozen=True)
class Missing:
    """An entry or a cell is not measured, because this machine or a server failed. Nothing is wrong with the entry."""

    where: str
    reason: str


@dataclass(frozen=True)
class Failed:
    """A cell failed, or the whole entry where `cell` is None. It is not measured any more."""

    entry: str
    cell: Cell | None
    failure: Failure
    detail: str = ""


@dataclass(frozen=True)
class Visited:
    """A round is over. `result` is None after a warm-up, and after a checked round, which gives no figures."""

    cell: Cell
    result: Round | None
    kind: str = "warm-up"


Event = Planned | Disturbed | Throttled | Building | Built | Remarked | Verifying | Missing | Failed | Visited
Observer = Callable[[Event], None]
