"""Rounds as the columns of a result."""

import pytest

from restbench.results.models import Latencies
from restbench.results.rounds import latency_columns, solo_columns
from tests.unit.records import a_latency_round, a_solo_round


@pytest.mark.parametrize(
    ("measured", "kept"), [(10123.4, 10120), (9876.5, 9876), (123.456, 123.5), (0.0123456, 0.01235), (1.5, 1.5)]
)
def test_every_column_has_four_significant_digits(measured: float, kept: float) -> None:
    names = ("seconds", "throughput", "cpu_us", "overhead_ms")
    solo = solo_columns([a_solo_round(**dict.fromkeys(names, measured))])
    assert [getattr(solo, name) for name in names] == [[kept]] * 4
    latency = Latencies(**dict.fromkeys(Latencies.model_fields, measured))
    (rounds,) = latency_columns([a_latency_round().model_copy(update={"achieved": measured, "latency": latency})])
    assert (rounds.achieved, rounds.p50, rounds.p99) == ([kept], [kept], [kept])


def test_memory_is_in_whole_bytes() -> None:
    (memory,) = solo_columns([a_solo_round(memory_bytes=71_934_567)]).memory_bytes
    assert (memory, type(memory)) == (71_930_000, int)


def test_rounds_that_do_not_count_are_in_no_column() -> None:
    refused = ["errors: read"]
    assert solo_columns([a_solo_round(invalid=refused)]).count == 0
