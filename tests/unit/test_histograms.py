"""Histograms of latencies, and rounds as the columns of a result."""

from random import Random
from statistics import quantiles

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from restbench.results.models import RateKind, SoloRounds
from restbench.results.rounds import latency_histograms, solo_columns, with_earlier_latencies
from restbench.stats.histograms import FEWEST, PER_DECADE, Histogram, histogram_of, percentile, thinned, together
from tests.made.records import a_latency_round, a_solo_round, at_rate

latencies = st.lists(st.floats(1e-3, 1e4), max_size=300)


@pytest.mark.parametrize("percent", FEWEST)
def test_a_percentile_is_that_of_the_requests(percent: int) -> None:
    random = Random(1)
    found = [random.lognormvariate(0, 1) for _ in range(5000)]
    assert percentile(histogram_of(found), percent) == pytest.approx(quantiles(found, n=100)[percent - 1], rel=0.02)


@pytest.mark.parametrize("percent", FEWEST)
def test_a_percentile_of_too_few_requests_is_not_known(percent: int) -> None:
    needed = FEWEST[percent]
    assert percentile(histogram_of([1.5] * (needed - 1)), percent) is None
    assert percentile(histogram_of([1.5] * needed), percent) == pytest.approx(1.5, rel=0.1)
    assert needed * (100 - percent) / 100 >= 10


@given(latencies, latencies)
def test_together_is_as_if_all_requests_had_been_seen_at_once(one: list[float], other: list[float]) -> None:
    assert together([histogram_of(one), histogram_of(other)]) == histogram_of(one + other)


def test_nothing_is_an_empty_histogram() -> None:
    assert histogram_of([]) == together([]) == Histogram()
    assert histogram_of([0.0]).total == 1


@given(latencies)
def test_thinning_keeps_a_share_of_the_requests_and_none_that_was_not_there(found: list[float]) -> None:
    whole = histogram_of(found)
    left = thinned(whole, 7, 8, "a run")
    assert left.total == len(found) * 7 // 8
    before = dict(enumerate(whole.counts, whole.first))
    assert all(count <= before[place] for place, count in enumerate(left.counts, left.first))


def test_thinning_keeps_percentiles() -> None:
    found = histogram_of([Random(2).lognormvariate(0, 1)] + [Random(n).lognormvariate(0, 1) for n in range(8000)])
    for percent in FEWEST:
        before, after = percentile(found, percent), percentile(thinned(found, 7, 8, "a run"), percent)
        assert after == pytest.approx(before, rel=0.02)


def test_a_histogram_forgets_what_was_added_long_ago() -> None:
    found = histogram_of([1000.0] * 80)
    for run in range(60):
        found = together([thinned(found, 7, 8, f"run {run}"), histogram_of([1.0] * 10)])
    slow = sum(count for place, count in enumerate(found.counts, found.first) if place >= PER_DECADE)
    assert slow <= 2
    assert 70 <= found.total <= 80


@pytest.mark.parametrize(
    ("measured", "rounded"), [(10123.4, 10100), (9876.5, 9880), (123.456, 123), (0.0123456, 0.0123), (1.5, 1.5)]
)
def test_every_column_has_three_significant_digits(measured: float, rounded: float) -> None:
    names = ("seconds", "throughput", "cpu_us", "overhead_ms")
    solo = solo_columns([a_solo_round(**dict.fromkeys(names, measured))])
    assert [getattr(solo, name) for name in names] == [[rounded]] * 4


def test_memory_is_the_most_of_all_rounds_in_whole_bytes() -> None:
    memory = solo_columns([a_solo_round(memory_bytes=found) for found in (50_000_000, 71_934_567)]).memory_bytes
    assert (memory, type(memory)) == (71_930_000, int)


def test_an_older_result_has_the_memory_of_each_round() -> None:
    assert SoloRounds.model_validate({"memory_bytes": [50_000_000, 71_930_000]}).memory_bytes == 71_930_000
    with pytest.raises(ValidationError):
        SoloRounds.model_validate({"memory_bytes": [50_000_000, "much"]})


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
    ] == [(1000, 2, 2000), (5400, 2, 2000)]
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
