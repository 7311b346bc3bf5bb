"""Rounds as the columns of a result."""

from itertools import combinations
from math import log
from random import Random
from statistics import stdev

import pytest

from restbench.results.rounds import duet_columns, solo_columns
from restbench.stats.comparisons import different_ratios, holm
from tests.unit.measured import a_duet_round, a_solo_round


@pytest.mark.parametrize(
    ("measured", "kept"),
    [
        ([10123.4, 10923.4, 9871.2, 10456.7, 9512.3, 10811.9], [10200, 11000, 9900, 10400, 9500, 10800]),
        ([10123.4, 10323.4, 10071.2, 10256.7, 10012.3, 10211.9], [10100, 10300, 10050, 10250, 10000, 10200]),
        ([10123.4, 10129.4, 10121.2, 10126.7, 10122.3, 10131.9], [10120, 10130, 10120, 10130, 10120, 10130]),
        ([10123.4, 10923.4, 9871.2, 10456.7, 9512.3], [10120, 10920, 9871, 10460, 9512]),
        ([10123.4, 10123.4, 10123.4, 10123.4, 10123.4, 10123.4], [10120] * 6),
        ([1234.5, 5678.9, 23.456, 0.012345, 9876.5, 4567.8], [1240, 5700, 23.4, 0.0124, 9900, 4550]),
    ],
    ids=["far apart", "close", "closer than four digits tell", "too few to know their spread", "equal", "wild"],
)
def test_a_column_has_the_digits_that_the_spread_of_its_rounds_supports(
    measured: list[float], kept: list[float]
) -> None:
    rounds = [a_solo_round().model_copy(update={"throughput": each}) for each in measured]
    assert solo_columns(rounds).throughput == kept


@pytest.mark.parametrize("spread", [0.002, 0.01, 0.02, 0.04, 0.1])
def test_rounding_hardly_adds_to_the_spread_of_rounds(spread: float) -> None:
    rng = Random(1)
    for middle in (1.1, 2.0, 4.7, 9.9):
        measured = [middle * rng.lognormvariate(0, spread) for _ in range(500)]
        rounds = [a_solo_round().model_copy(update={"throughput": each}) for each in measured]
        assert stdev(solo_columns(rounds).throughput) == pytest.approx(stdev(measured), rel=0.03)


def test_the_ratio_of_a_duet_keeps_its_spread_though_slow_phases_spread_both_sides_far_more() -> None:
    rng = Random(1)
    slow = [rng.lognormvariate(0, 0.2) for _ in range(500)]
    measured = [(50 * each * rng.lognormvariate(0, 0.01), 20 * each) for each in slow]
    rounds = [a_duet_round().model_copy(update={"cpu_us": a, "baseline_cpu_us": b}) for a, b in measured]
    kept = duet_columns(rounds, "python/falcon", None, None).relative_costs
    assert stdev(map(log, kept)) == pytest.approx(stdev(log(a / b) for a, b in measured), rel=0.03)


@pytest.mark.parametrize("spread", [0.002, 0.01, 0.04])
def test_rounding_makes_equal_apps_no_more_different(spread: float) -> None:
    rng, claimed, tables = Random(1), 0, 100
    for _ in range(tables):
        rows = [
            duet_columns(
                [
                    a_duet_round().model_copy(
                        update={"cpu_us": 50 * rng.lognormvariate(0, spread), "baseline_cpu_us": 20.0}
                    )
                    for _ in range(10)
                ],
                "python/falcon",
                None,
                None,
            ).relative_costs
            for _ in range(6)
        ]
        claimed += min(holm([different_ratios(a, b) for a, b in combinations(rows, 2)])) < 0.05
    # 11 of 100 or more are claimed with a probability of 1 % at a level of 5 %
    assert claimed <= 10
