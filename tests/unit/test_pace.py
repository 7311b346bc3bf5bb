"""A CPU that a neighbour slows shows in nothing but the time that fixed work takes."""

import os
from pathlib import Path

from restbench.measure.gate import is_slow
from restbench.measure.pace import Baseline, fast_quarter, probe
from restbench.results.models import Limit
from restbench.stats.figures import figures_of
from tests.unit.records import a_cell, a_round

CALM = [2.5, 2.6, 2.7, 2.6, 2.55, 2.8, 2.65, 2.9]
SLOW = [4.0, 4.1, 3.9, 4.2]


def test_the_probe_takes_time_and_leaves_the_affinity_as_it_was() -> None:
    before = os.sched_getaffinity(0)
    assert probe(sorted(before)) > 0
    assert os.sched_getaffinity(0) == before


def test_calm_rounds_count_and_slow_ones_say_how_slow(tmp_path: Path) -> None:
    baseline = Baseline(tmp_path / "pace.json", "A").with_run(CALM + SLOW)
    assert not any(is_slow(probe_ms / baseline, Limit.APP) for probe_ms in CALM)
    assert all(is_slow(probe_ms / baseline, Limit.APP) for probe_ms in SLOW)
    assert not any(is_slow(probe_ms / baseline, Limit.WAITING) for probe_ms in SLOW)


def test_figures_are_scaled_to_the_best_pace() -> None:
    slow = a_round(throughput=8_000, cpu_us_per_request=125.0, pace=1.25)
    assert (slow.paced_throughput, slow.paced_cpu_us) == (10_000, 100)
    assert figures_of(a_cell(rounds=[slow])).throughput.median == 10_000
    assert a_round(throughput=8_000).paced_throughput == 8_000, "not known where nothing is pinned"


def test_a_run_that_is_slow_throughout_is_known_from_the_runs_before(tmp_path: Path) -> None:
    Baseline(tmp_path / "pace.json", "A").with_run(CALM)
    assert Baseline(tmp_path / "pace.json", "A").with_run(SLOW) == fast_quarter(CALM)
    assert Baseline(tmp_path / "pace.json", "another processor").with_run(SLOW) == fast_quarter(SLOW)


def test_one_lucky_probe_does_not_make_the_others_slow() -> None:
    assert fast_quarter([*CALM, 1.5]) > 0.95 * fast_quarter(CALM)


def test_a_broken_file_is_as_good_as_none(tmp_path: Path) -> None:
    (tmp_path / "pace.json").write_text("[]")
    assert Baseline(tmp_path / "pace.json", "A").with_run([2.6]) == 2.6
    assert Baseline(tmp_path / "pace.json", "A").with_run([9.9]) == 2.6
