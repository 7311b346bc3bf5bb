"""Verifies that an app keeps the contract. A cell that breaks it is never published as a figure."""

from restbench.conformance.answers import RightAnswers, right_answers
from restbench.conformance.checks import SLOW_SOURCE, fetching
from restbench.conformance.contract import too_few_requests
from restbench.conformance.http import TRIED_AGAIN, Answer, Client, Mismatch, NoAnswer
from restbench.conformance.reading import read_answers, unasked_answers
from restbench.conformance.verify import (
    CheckResult,
    after_load,
    before_load,
    check_features,
    in_production,
    under_load,
    verify,
    with_slow_source,
)

__all__ = [
    "SLOW_SOURCE",
    "TRIED_AGAIN",
    "Answer",
    "CheckResult",
    "Client",
    "Mismatch",
    "NoAnswer",
    "RightAnswers",
    "after_load",
    "before_load",
    "check_features",
    "fetching",
    "in_production",
    "read_answers",
    "right_answers",
    "too_few_requests",
    "unasked_answers",
    "under_load",
    "verify",
    "with_slow_source",
]
