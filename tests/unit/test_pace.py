"""A CPU that a neighbour slows shows in nothing but the time that fixed work takes."""

import os
from pathlib import Path

from restbench.measure.gate import SLOWDOWN_BOUND, pace_reason
from restbench.measure.pace import Baseline, fast_quarter, probe

CALM = [2.5, 2.6, 2.7, 2.6, 2.55, 2.8, 2.65, 2.9]
SLOW = [4.0, 4.1, 3.9, 4.2]


def test_the_probe_takes_time_and_leaves_the_affinity_as_it_was() -> None:
    before = os.sched_getaffinity(0)
    assert probe(sorted(before)) > 0
    assert os.sched_getaffinity(0) == before


def test_calm_rounds_count_and_slow_ones_say_how_slow(tmp_path: Path) -> None:
    baseline = Baseline(tmp_path / "pace.json", "A").with_run(CALM + SLOW)
    assert all(pace_reason(probe_ms, baseline) is None for probe_ms in CALM)
    assert [pace_reason(4.1, baseline)] == ["the app's CPUs ran 1.6 times slower than they can"]
    assert all(pace_reason(probe_ms, baseline) for probe_ms in SLOW)


def test_a_run_that_is_slow_throughout_is_known_from_the_runs_before(tmp_path: Path) -> None:
    Baseline(tmp_path / "pace.json", "A").with_run(CALM)
    assert Baseline(tmp_path / "pace.json", "A").with_run(SLOW) == fast_quarter(CALM)
    assert Baseline(tmp_path / "pace.json", "another processor").with_run(SLOW) == fast_quarter(SLOW)


def test_one_lucky_probe_does_not_make_the_others_slow() -> None:
    assert max(CALM) / fast_quarter([*CALM, 1.5]) < SLOWDOWN_BOUND


def test_a_broken_file_is_as_good_as_none(tmp_path: Path) -> None:
    (tmp_path / "pace.json").write_text("[]")
    assert Baseline(tmp_path / "pace.json", "A").with_run([2.6]) == 2.6
    assert Baseline(tmp_path / "pace.json", "A").with_run([9.9]) == 2.6
