"""What belongs to the window in which an app is loaded."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from restbench.loadgen import LoadResult
from restbench.measure import round as round_
from restbench.measure.round import observe, taken_by_others
from restbench.measure.usage import CpuTimes
from restbench.system.cpus import CpuSplit
from restbench.system.resource_use import Resources


def test_the_time_to_read_a_backends_cpu_time_is_no_part_of_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """For containers it takes some commands. That time would look as if others had used the CPUs."""
    now = 0.0

    def slow_reading() -> float:
        nonlocal now
        now += 0.1
        return 0.0

    def load_for_a_second() -> LoadResult:
        nonlocal now
        now += 1.0
        return cast(LoadResult, SimpleNamespace(seconds=1.0))

    monkeypatch.setattr(round_, "settle", lambda _tools, _targets: None)
    tools: Any = SimpleNamespace(
        cpus=CpuSplit(app=(1,), load=(0,), backend=(0,), pinned=True),
        backend_cpu_seconds=slow_reading,
        clock=lambda: now,
        cpu_times=lambda _cpus: CpuTimes(idle=now, interrupts=0.0),
    )
    target: Any = SimpleNamespace(cpu_seconds=lambda: 0.0, resources=lambda: Resources(0.0, 0))
    _, seen = observe(tools, [target], load_for_a_second)
    assert seen.wall == pytest.approx(1.0)
    assert taken_by_others(seen.app_side, 0.0, seen.wall) == pytest.approx(0.0)
