"""What a window of time used, from /proc/stat."""

from pathlib import Path

import pytest

from restbench.measure.usage import cpu_times

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
