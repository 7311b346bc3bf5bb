"""Notices that other programs use the CPUs: before the load, and while rounds are refused for it.

It notices a CPU quota that throttles rounds, too.
"""

from restbench.measure.events import Disturbed, Event, Observer, Throttled, Visited
from restbench.measure.gate import CONTENTION_BOUND, DISTURBANCES, THROTTLED
from restbench.measure.round import taken_by_others
from restbench.measure.tools import Tools
from restbench.results.rounds import DuetRound, SoloRound
from restbench.system.programs import Programs

LOOK_SECONDS = 2.0
"""How long the CPUs are looked at before the load."""

IN_A_ROW = 5
"""After so many refused rounds in a row it is reported, once. After as many that count it may be reported again."""


def look(tools: Tools, observe: Observer) -> None:
    """Looks at the CPUs while nothing of this harness runs. Reports where others use as much as has rounds refused."""
    sides = (tools.cpus.app, tools.cpus.load)
    before, programs, began = [tools.cpu_times(side) for side in sides], tools.programs(), tools.clock()
    tools.sleep(LOOK_SECONDS)
    seconds = tools.clock() - began
    used = [tools.cpu_times(side) - times for side, times in zip(sides, before, strict=True)]
    shares = [taken_by_others(each, 0.0, seconds * len(side)) for side, each in zip(sides, used, strict=True)]
    if max(shares) > CONTENTION_BOUND:
        observe(Disturbed(tools.programs().since(programs)))


class Noticing:
    """An observer that passes all events on, and reports where rounds are refused one after the other."""

    def __init__(self, tools: Tools, observe: Observer) -> None:
        self._tools = tools
        self._observe = observe
        self._refused = self._counted = 0
        self._is_reported = False
        self._before: Programs | None = None

    def __call__(self, event: Event) -> None:
        self._observe(event)
        match event:
            case Visited(result=SoloRound() | DuetRound() as seen) if DISTURBANCES.intersection(seen.invalid):
                self._refuse(by_quota=THROTTLED in seen.invalid)
            case Visited(result=SoloRound() | DuetRound() as seen) if not seen.invalid:
                self._refused, self._counted = 0, self._counted + 1
                self._is_reported = self._is_reported and self._counted < IN_A_ROW
            case _:
                pass

    def _refuse(self, *, by_quota: bool) -> None:
        self._refused, self._counted = self._refused + 1, 0
        if self._is_reported:
            return
        if self._before is None or self._refused == 1:
            self._before = self._tools.programs()
        elif self._refused >= IN_A_ROW:
            self._is_reported = True
            if by_quota:
                self._observe(Throttled(self._tools.quota(), self._refused))
            else:
                self._observe(Disturbed(self._tools.programs().since(self._before), self._refused))
