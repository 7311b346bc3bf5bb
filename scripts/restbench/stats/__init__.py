"""Statistics of rounds: intervals, comparisons, groups, and ratios over several starts."""
