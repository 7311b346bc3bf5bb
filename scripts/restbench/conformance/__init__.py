"""Verifies that an app keeps the contract. A cell that breaks it is never published as a figure."""

from restbench.conformance.http import Client, Mismatch, NoAnswer
from restbench.conformance.kept import kept_answers
from restbench.conformance.sampler import Sampler
from restbench.conformance.sizes import AnswerSizes, sizes_of
from restbench.conformance.source import SLOW_SOURCE, fetching
from restbench.conformance.verify import (
    Verdict,
    after_load,
    before_load,
    check_features,
    under_load,
    verify,
    with_slow_source,
)

__all__ = [
    "SLOW_SOURCE",
    "AnswerSizes",
    "Client",
    "Mismatch",
    "NoAnswer",
    "Sampler",
    "Verdict",
    "after_load",
    "before_load",
    "check_features",
    "fetching",
    "kept_answers",
    "sizes_of",
    "under_load",
    "verify",
    "with_slow_source",
]
