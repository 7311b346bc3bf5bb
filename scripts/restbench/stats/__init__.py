"""Statistics of rounds: intervals, comparisons, rank ranges, and ratios over several starts."""
