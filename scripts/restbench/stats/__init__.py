"""Intervals, comparisons, rank ranges, and how a cell's rounds become figures."""
