"""Histograms of latencies, from which the percentiles of several rounds and runs together can be read.

Percentiles cannot be averaged, but histograms can be added. The buckets have equal widths on a logarithmic scale, so
that small and large latencies are known equally well (as in G. Tene's HdrHistogram). Within a bucket the place of a
percentile is interpolated.
"""

from collections import Counter
from collections.abc import Iterable
from math import floor, log10
from random import Random
from typing import NamedTuple

PER_DECADE = 24
"""Buckets for each factor of ten. The upper bound of a bucket is 10 % above its lower bound."""

FEWEST = {50: 100, 90: 100, 99: 1000}
"""Percentile → how many requests it needs. Ten requests have to be beyond it, so that no single one decides."""

_SHORTEST = 1e-6
"""Milliseconds. Nothing is faster, and a clock that stands still gives 0, which has no logarithm."""


class Histogram(NamedTuple):
    """How many requests took how long. Bucket `n` begins at 10 ** (n / PER_DECADE) milliseconds.

    `counts` are those of the buckets from `first` on.
    """

    first: int = 0
    counts: tuple[int, ...] = ()

    @property
    def total(self) -> int:
        return sum(self.counts)


def histogram_of(milliseconds: Iterable[float]) -> Histogram:
    return _dense(Counter(floor(PER_DECADE * log10(max(_SHORTEST, each))) for each in milliseconds))


def together(histograms: Iterable[Histogram]) -> Histogram:
    """Returns the histogram of all requests of some histograms."""
    found = Counter[int]()
    for each in histograms:
        found.update({each.first + place: count for place, count in enumerate(each.counts)})
    return _dense(found)


def thinned(histogram: Histogram, count: int, of: int, seed: str) -> Histogram:
    """Returns the histogram of a random sample: of `count` of every `of` requests. A seed gives the same sample again.

    A histogram to which runs are added forgets old ones in this way, whatever their latencies were.
    """
    number = histogram.total * count // of
    if not number:
        return Histogram()
    places = range(histogram.first, histogram.first + len(histogram.counts))
    return _dense(Counter(Random(seed).sample(places, number, counts=histogram.counts)))


def percentile(histogram: Histogram, percent: int) -> float | None:
    """Returns a percentile of FEWEST in milliseconds. None where there are too few requests for it."""
    if histogram.total < FEWEST[percent]:
        return None
    wanted, seen = histogram.total * percent / 100, 0
    for place, count in enumerate(histogram.counts, histogram.first):
        if count and seen + count >= wanted:
            return float(10 ** ((place + (wanted - seen) / count) / PER_DECADE))
        seen += count
    raise AssertionError("a percentile is below the largest request")


def _dense(counts: Counter[int]) -> Histogram:
    there = [place for place, count in counts.items() if count]
    return Histogram(min(there), tuple(counts[n] for n in range(min(there), max(there) + 1))) if there else Histogram()
