"""Everything that is made up for tests: a small catalogue, results, boards, comparisons, and histories of years."""
