"""Verifies that an app keeps the contract. A cell that breaks it is never published as a figure."""

from restbench.conformance.answers import RightAnswers, right_answers
from restbench.conformance.checks import CROWD_SOURCE_MS, SLOW_SOURCE, SOURCE_MS, CheckResult, fetching, outcome
from restbench.conformance.contract import too_few_requests
from restbench.conformance.crowd import BRIEF, Pace, under_load, waits_under_load
from restbench.conformance.fetches import FetchCounter, fetch_counter
from restbench.conformance.http import IDLE_SECONDS, TRIED_AGAIN, Answer, Client, Mismatch, NoAnswer
from restbench.conformance.reading import check_answers, expect_all, reading_of, unasked_answers, with_wrong_ones
from restbench.conformance.verify import (
    after_load,
    asked_settings,
    before_load,
    check_features,
    in_production,
    verify,
    with_slow_source,
)

__all__ = [
    "BRIEF",
    "CROWD_SOURCE_MS",
    "IDLE_SECONDS",
    "SLOW_SOURCE",
    "SOURCE_MS",
    "TRIED_AGAIN",
    "Answer",
    "CheckResult",
    "Client",
    "FetchCounter",
    "Mismatch",
    "NoAnswer",
    "Pace",
    "RightAnswers",
    "after_load",
    "asked_settings",
    "before_load",
    "check_answers",
    "check_features",
    "expect_all",
    "fetch_counter",
    "fetching",
    "in_production",
    "outcome",
    "reading_of",
    "right_answers",
    "too_few_requests",
    "unasked_answers",
    "under_load",
    "verify",
    "waits_under_load",
    "with_slow_source",
    "with_wrong_ones",
]
