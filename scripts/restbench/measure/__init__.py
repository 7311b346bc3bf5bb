"""Measures entries: the schedule of a run, the visits to cells, and the judgement of each round."""

from restbench.measure.events import Event
from restbench.measure.outcome import Outcome
from restbench.measure.run import Plan, run_plan

__all__ = ["Event", "Outcome", "Plan", "run_plan"]
