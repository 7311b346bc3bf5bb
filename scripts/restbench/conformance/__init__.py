"""Does a target keep the contract? No number without proof."""

from restbench.conformance.http import Client, Mismatch, NoAnswer
from restbench.conformance.kept import kept_answers
from restbench.conformance.sampler import Sampler
from restbench.conformance.sizes import AnswerSizes, sizes_of
from restbench.conformance.source import SLOW_SOURCE, fetching
from restbench.conformance.verify import (
    Verdict,
    after_load,
    before_load,
    marks_of,
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
    "fetching",
    "kept_answers",
    "marks_of",
    "sizes_of",
    "under_load",
    "verify",
    "with_slow_source",
]
