"""From entries to rounds: the schedule, the visits, the judgement of each round."""

from restbench.measure.events import Event
from restbench.measure.run import Outcome, Plan, run_plan

__all__ = ["Event", "Outcome", "Plan", "run_plan"]
