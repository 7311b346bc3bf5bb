"""Measures what a change costs: two versions of an entry are loaded on one machine at the same time, in duet rounds."""
