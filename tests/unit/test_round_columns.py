"""Rounds as the columns of a result."""

import pytest

from restbench.results.models import RateKind
from restbench.results.rounds import latency_histograms, solo_columns, with_earlier_latencies
from tests.made.records import a_latency_round, a_solo_round, at_rate


@pytest.mark.parametrize(
    ("measured", "kept"), [(10123.4, 10120), (9876.5, 9876), (123.456, 123.5), (0.0123456, 0.01235), (1.5, 1.5)]
)
def test_every_column_has_four_significant_digits(measured: float, kept: float) -> None:
    names = ("seconds", "throughput", "cpu_us", "overhead_ms")
    solo = solo_columns([a_solo_round(**dict.fromkeys(names, measured))])
    assert [getattr(solo, name) for name in names] == [[kept]] * 4


def test_memory_is_in_whole_bytes() -> None:
    (memory,) = solo_columns([a_solo_round(memory_bytes=71_934_567)]).memory_bytes
    assert (memory, type(memory)) == (71_930_000, int)


def test_rounds_that_do_not_count_are_in_no_column() -> None:
    refused = ["errors: read"]
    assert solo_columns([a_solo_round(invalid=refused)]).count == 0


def test_the_requests_of_all_latency_rounds_that_count_are_in_one_histogram() -> None:
    rounds = [a_latency_round(1.1), a_latency_round(2.2), a_latency_round(99, invalid=["errors: timeout"])]
    (found,) = latency_histograms(rounds)
    assert (found.kind, found.rate, found.runs, found.histogram.total) == (RateKind.COMMON, 1000, 1, 2000)
    assert found.refused == {"errors: timeout": 1}


def test_latencies_of_earlier_runs_are_added_where_the_rates_are_alike() -> None:
    before = [at_rate(RateKind.COMMON, 1000), at_rate(RateKind.HALF, 5000)]
    after = [at_rate(RateKind.COMMON, 1000, 2.2), at_rate(RateKind.HALF, 5400, 2.2)]
    assert [
        (found.rate, found.runs, found.histogram.total) for found in with_earlier_latencies(before, after, "a run")
    ] == [
        (1000, 2, 2000),
        (5400, 2, 2000),
    ]
    faster = [at_rate(RateKind.HALF, 6000, 2.2)]
    assert with_earlier_latencies(before, faster, "a run") == faster


def test_a_run_whose_rounds_do_not_count_keeps_the_earlier_latencies_and_says_so() -> None:
    refused = at_rate(RateKind.COMMON, 1000, requests=0, refused={"the rate was not reached": 2})
    (found,) = with_earlier_latencies([at_rate(RateKind.COMMON, 1000)], [refused], "a run")
    assert found.histogram.total == 1000
    assert found.refused == refused.refused


def test_eight_runs_are_pooled_and_the_oldest_fade() -> None:
    pooled = [at_rate(RateKind.COMMON, 1000)]
    for run in range(20):
        pooled = with_earlier_latencies(pooled, [at_rate(RateKind.COMMON, 1000, 2.2)], f"run {run}")
    assert pooled[0].runs == 8
    assert 7900 < pooled[0].histogram.total <= 8000
    assert pooled[0].counts[0] < 250, "of the first run"
