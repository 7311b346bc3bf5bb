"""Measures what a change costs: two versions of an entry are loaded on one machine at the same time, in duet rounds."""

from restbench.compare.models import Comparison, EntryComparison, Verdict
from restbench.compare.new_entry import measure_new
from restbench.compare.versions import compare_versions

__all__ = ["Comparison", "EntryComparison", "Verdict", "compare_versions", "measure_new"]
