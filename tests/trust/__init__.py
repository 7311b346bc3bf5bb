"""Tests whether the figures can be trusted: measures things whose right answer is known, with the usual code."""
