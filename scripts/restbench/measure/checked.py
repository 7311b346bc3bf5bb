"""Checked rounds: every answer is read, in place of figures.

They have the connections and the bytes of measured rounds, and come at places that an app cannot foresee. So an app
that answers wrongly in measured rounds answers wrongly here too.
"""

from restbench.measure.blame import WrongUnderLoadError, blaming_the_app
from restbench.measure.duet import Side
from restbench.measure.tools import Tools


def checked_round(tools: Tools, app: Side, capacity: float | None) -> None:
    """Reads the answers of an app that is loaded alone, over as many connections as in its measured rounds.

    `capacity`: the throughput before the rounds that their connections are made for, in requests per second.

    Raises WrongUnderLoadError for a wrong answer, AppDiedError when the app is gone, and LoadError.
    """
    scenario = app.entry.scenario(app.cell)
    load = tools.closed_loop(scenario, tools.profile.solo_seconds, capacity)
    with blaming_the_app(app.target, app.entry):
        reading, requests = tools.reading(scenario, load, app.capacity)
        failure = tools.verifier.read(app.target, app.entry, app.cell, app.right, reading, requests)
    if failure:
        raise WrongUnderLoadError(failure)
