"""Medians, intervals, ranks with ties, and how noisy figures are."""

from restbench.stats.estimate import Estimate, estimate
from restbench.stats.ranks import shared_ranks
from restbench.stats.spread import coefficient_of_variation

__all__ = ["Estimate", "coefficient_of_variation", "estimate", "shared_ranks"]
