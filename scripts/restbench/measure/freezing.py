"""Freezes the other apps of a team while one is loaded, so that they can neither ask it nor use the CPUs."""

import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from restbench.errors import MachineError
from restbench.system.pools import wait_in_any_case
from restbench.targets import Target

LONGEST_SECONDS = 4.0
"""How long an app is frozen at most before it may run for a moment.

Servers kill workers that they have not heard of for too long: uvicorn after 5 s, gunicorn after 30 s.
"""

BREATH_SECONDS = 0.05
"""How long that moment is."""


@contextmanager
def frozen(targets: Mapping[str, Target]) -> Iterator[dict[str, str]]:
    """Freezes apps, and thaws them when the context ends. Yields why some could not be frozen. The keys are entries."""
    if not targets:
        yield {}
        return
    over = threading.Event()
    breathing = threading.Thread(target=_breathe, args=(targets, over), name="breathing", daemon=True)
    try:
        troubles = _all(lambda app: app.freeze(), targets)
        breathing.start()
        yield troubles
    finally:
        over.set()
        if breathing.is_alive():
            breathing.join()
        _all(lambda app: app.thaw(), targets)


def _breathe(targets: Mapping[str, Target], over: threading.Event) -> None:
    while not over.wait(LONGEST_SECONDS):
        _all(lambda app: app.thaw(), targets)
        if not over.wait(BREATH_SECONDS):
            _all(lambda app: app.freeze(), targets)


def _all(act: Callable[[Target], None], targets: Mapping[str, Target]) -> dict[str, str]:
    """Does the same to all at the same time, as each may take a command. Returns why it failed, by entry."""
    with ThreadPoolExecutor(len(targets)) as pool:
        begun = {entry: pool.submit(act, target) for entry, target in targets.items()}
        wait_in_any_case(list(begun.values()))
    troubles = {}
    for entry, done in begun.items():
        try:
            done.result()
        except MachineError as error:
            troubles[entry] = error.message
    return troubles
