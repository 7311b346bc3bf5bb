"""What wrk and oha say is read strictly: a report of another shape is an error, not a zero."""

import json

import pytest

from restbench.errors import LoadError
from restbench.loadgen.oha import parse_report as parse_oha
from restbench.loadgen.wrk import parse_report as parse_wrk

WRK = {
    "requests": 1000, "duration": 2_000_000, "mean": 307.7, "p50": 255, "p75": 382, "p90": 484, "p99": 645,
    "p999": 1304, "max": 2573, "connect": 0, "read": 2, "write": 0, "status": 7, "timeout": 0,
}  # fmt: skip
OHA = {
    "summary": {"successRate": 1.0, "total": 0.5, "slowest": 0.004, "fastest": 0.0001, "average": 0.0011},
    "latencyPercentiles": {"p10": 0.0005, "p50": 0.001, "p75": 0.0015, "p90": 0.002, "p99": 0.003, "p99.9": 0.0039},
    "statusCodeDistribution": {"200": 990, "500": 10},
    "errorDistribution": {"aborted due to deadline": 3, "connection refused": 1},
}


def test_wrk_is_read_in_milliseconds_and_errors_by_kind() -> None:
    result = parse_wrk(json.dumps(WRK), cpu_seconds=1.5)
    assert result.throughput == 500
    assert (result.latency.p50, result.latency.max) == (0.255, 2.573)
    assert result.errors == {"read": 2, "status": 7}
    assert result.cpu_seconds == 1.5


def test_oha_counts_answers_by_status_because_its_success_rate_counts_errors_too() -> None:
    result = parse_oha(json.dumps(OHA), cpu_seconds=0.1)
    assert result.requests == 1000
    assert result.errors == {"status 500": 10, "connection refused": 1}
    assert (result.latency.p50, result.latency.p999) == (1.0, 3.9)
    assert result.throughput == 2000


@pytest.mark.parametrize("line", ["", "{}", json.dumps(WRK | {"requests": "many"}), json.dumps(WRK | {"new": 1})])
def test_another_report_of_wrk_is_refused(line: str) -> None:
    with pytest.raises(LoadError, match="wrk reported what"):
        parse_wrk(line, 0.0)


@pytest.mark.parametrize(("errors", "said"), [({"timeout": 45}, "45 × timeout"), ({}, "none was sent")])
def test_without_an_answer_there_are_no_times_and_it_is_said_what_came_of_requests(
    errors: dict[str, int], said: str
) -> None:
    silent = {"total": 5.3, "average": None, "slowest": None}
    report = {**OHA, "summary": silent, "statusCodeDistribution": {}, "errorDistribution": errors}
    with pytest.raises(LoadError, match=f"no request was answered: {said}"):
        parse_oha(json.dumps(report), 0.0)


@pytest.mark.parametrize("missing", ["summary", "latencyPercentiles", "statusCodeDistribution", "errorDistribution"])
def test_another_report_of_oha_is_refused(missing: str) -> None:
    with pytest.raises(LoadError, match="oha's report lacks"):
        parse_oha(json.dumps({key: value for key, value in OHA.items() if key != missing}), 0.0)
