"""What belongs to the window in which an app is loaded."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from restbench.loadgen import LoadResult
from restbench.measure import window
from restbench.measure.usage import CpuTimes, cpu_times
from restbench.measure.window import observe, taken_by_others
from restbench.system.cpus import CpuSplit
from restbench.system.resource_use import Resources


def test_the_time_to_read_a_backends_cpu_time_is_no_part_of_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """For containers it takes some commands. That time would look as if others had used the CPUs."""
    now = 0.0

    def slow_reading() -> float:
        nonlocal now
        now += 0.1
        return 0.0

    def load_for_a_second(_load: object) -> LoadResult:
        nonlocal now
        now += 1.0
        return cast(LoadResult, SimpleNamespace(seconds=1.0))

    monkeypatch.setattr(window, "settle", lambda _tools, _targets: None)
    tools: Any = SimpleNamespace(
        cpus=CpuSplit(app=(1,), load=(0,), backend=(0,), pinned=True),
        backend_cpu_seconds=slow_reading,
        clock=lambda: now,
        cpu_times=lambda _cpus: CpuTimes(idle=now, interrupts=0.0),
    )
    target: Any = SimpleNamespace(cpu_seconds=lambda: 0.0, resources=lambda: Resources(0.0, 0))
    seen = observe(tools, target, cast(Any, SimpleNamespace(connections=1)), load_for_a_second)
    assert seen.wall_seconds == pytest.approx(1.0)
    assert taken_by_others(seen.app_side, 0.0, seen.wall_seconds) == pytest.approx(0.0)


STAT = """\
cpu  300 0 300 900 30 6 9 50 0 0
cpu0 100 0 100 300 10 2 3 20 0 0
cpu1 200 0 200 600 20 4 6 30 0 0
intr 12345
"""


def test_only_the_cpus_asked_for_are_summed_in_seconds(tmp_path: Path) -> None:
    (tmp_path / "stat").write_text(STAT)
    one = cpu_times([1], tmp_path / "stat")
    assert one.idle == pytest.approx(6.2)
    assert one.interrupts == pytest.approx(0.1)
    both = cpu_times([0, 1], tmp_path / "stat")
    assert both.idle == pytest.approx(9.3)
    assert both.interrupts == pytest.approx(0.15)
