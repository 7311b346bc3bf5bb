"""Does a target keep the contract? No number without proof."""

from restbench.conformance.http import Client, Mismatch, NoAnswer
from restbench.conformance.kept import kept_answers
from restbench.conformance.sampler import Sampler
from restbench.conformance.verify import Verdict, after_load, before_load, marks_of, under_load, verify

__all__ = [
    "Client",
    "Mismatch",
    "NoAnswer",
    "Sampler",
    "Verdict",
    "after_load",
    "before_load",
    "kept_answers",
    "marks_of",
    "under_load",
    "verify",
]
