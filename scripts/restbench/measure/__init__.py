"""Measures entries: the apps of a team, their rounds, and the judgement of each round."""

from restbench.measure.board_run import run_board
from restbench.measure.events import Event
from restbench.measure.outcome import Outcome
from restbench.measure.plan import Plan

__all__ = ["Event", "Outcome", "Plan", "run_board"]
