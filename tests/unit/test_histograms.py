"""Histograms of latencies: what their percentiles are, and that histograms can be added."""

from random import Random
from statistics import quantiles

import pytest
from hypothesis import given
from hypothesis import strategies as st

from restbench.stats.histograms import FEWEST, PER_DECADE, Histogram, histogram_of, percentile, thinned, together

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
