"""Checked rounds: every answer is read, in place of figures.

They have the connections and the bytes of measured rounds, and come at places that an app cannot foresee. So an app
that answers wrongly in measured rounds answers wrongly here too.
"""

from dataclasses import replace
from functools import partial

from restbench.errors import LoadError
from restbench.loadgen import Load
from restbench.loadgen.together import run_together
from restbench.measure.blame import WrongUnderLoadError, blaming_the_app
from restbench.measure.duet import BaselineLostError, Side, blaming_the_right_one
from restbench.measure.tools import Tools
from restbench.results.models import Failure


def checked_solo(tools: Tools, app: Side, capacity: float | None) -> None:
    """Reads the answers of an app that is loaded alone, over as many connections as in its solo rounds.

    `capacity`: the throughput in the warm-up that solo rounds are made for, in requests per second.

    Raises WrongUnderLoadError for a wrong answer, AppDiedError when the app is gone, and LoadError.
    """
    load = tools.closed_loop(app.entry.scenario(app.cell), tools.profile.solo_seconds, capacity)
    with blaming_the_app(app.target, app.entry):
        failure = _read(tools, app, load)
    if failure:
        raise WrongUnderLoadError(failure)


def checked_duet(tools: Tools, app: Side, baseline: Side) -> None:
    """Reads the answers of both sides of a duet.

    Raises WrongUnderLoadError and AppDiedError about the app, BaselineLostError about the baseline, and LoadError.
    """
    loads = tools.duet(app.entry.scenario(app.cell), app.capacity, baseline.capacity)
    runs = [
        partial(_read, tools, replace(side, capacity=side.capacity / 2), load)
        for side, load in zip((app, baseline), loads, strict=True)
    ]
    with blaming_the_right_one(app, baseline):
        mine, theirs = run_together(runs)
        if isinstance(mine, LoadError):
            raise mine
    if isinstance(mine, Failure):
        raise WrongUnderLoadError(mine)
    if theirs:
        raise BaselineLostError(f"{baseline.cell}: {theirs}")


def _read(tools: Tools, side: Side, load: Load) -> Failure | None:
    reading, requests = tools.reading(side.entry.scenario(side.cell), load, side.capacity)
    return tools.verifier.read(side.target, side.entry, side.cell, side.right, reading, requests)
