"""Which rounds count, what limited them, and what belongs to the window of a round."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from restbench.loadgen import LoadResult
from restbench.measure import gate
from restbench.measure import round as rounds
from restbench.measure.gate import Conditions, source_ceiling, waiting_ceiling
from restbench.measure.round import Counters, taken_by_others
from restbench.measure.usage import CpuTimes, cpu_times
from restbench.results.models import Limit
from restbench.results.rounds import Use
from restbench.system.cpus import CpuSplit
from restbench.system.resource_use import Resources

LOAD = LoadResult(requests=10_000, seconds=1.0, mean_ms=6.4, errors={}, cpu_seconds=0.3, connections=64)
USE = Use(app_idle=0.01, load_cpu=0.3, contention=0.01, load_contention=0.01)
CONDITIONS = Conditions(pinned=True, source_ceiling=64_000)
"""A busy app with an idle client."""


def limit_of(**changes: Any) -> Limit:
    return gate.limit_of(*seen(**changes))


def reasons_against(**changes: Any) -> list[str]:
    return gate.reasons_against(*seen(**changes))


def seen(**changes: Any) -> tuple[LoadResult, Use, Conditions]:
    """The busy app, with other values of some fields."""
    of_load, of_use, of_conditions = (
        {name: value for name, value in changes.items() if name in fields}
        for fields in (LoadResult.__annotations__, Use.model_fields, Conditions.__annotations__)
    )
    assert len(of_load) + len(of_use) + len(of_conditions) == len(changes)
    return replace(LOAD, **of_load), USE.model_copy(update=of_use), replace(CONDITIONS, **of_conditions)


def test_a_batch_that_is_answered_one_after_the_other_counts() -> None:
    """8 requests of 8 clients, 60 ms each: the first takes 60 ms and the last 480 ms, so 270 ms on average."""
    batch: dict[str, Any] = {"connections": 8, "requests": 8, "seconds": 0.48, "source_ceiling": None}
    assert reasons_against(**batch, mean_ms=270, batch=True) == []
    assert reasons_against(**batch, mean_ms=270, batch=False) != []
    assert reasons_against(**batch, mean_ms=200, batch=True) != []


def test_a_busy_app_with_an_idle_client_is_what_was_measured() -> None:
    assert limit_of() == Limit.APP
    assert reasons_against() == []


@pytest.mark.parametrize(
    ("change", "limit"),
    [
        ({"load_cpu": 0.95}, Limit.APP),  # both are busy: another load generator would get little more
        ({"load_cpu": 0.95, "app_idle": 0.3}, Limit.LOAD_GENERATOR),
        ({"app_idle": 0.4, "requests": 60_000}, Limit.SOURCE),
        ({"app_idle": 0.67, "requests": 22_500}, Limit.SOURCE),
        ({"app_idle": 0.8, "requests": 12_000}, Limit.HANDLERS),
        ({"app_idle": 0.4, "source_ceiling": None}, Limit.NOISE),
        ({"app_idle": 0.4, "waiting_ceiling": 10_500}, Limit.WAITING),
        ({"app_idle": 0.6, "waiting_ceiling": 25_600, "requests": 21_500}, Limit.WAITING),
        ({"app_idle": 0.4, "waiting_ceiling": 25_600}, Limit.HANDLERS),
        ({"waiting_ceiling": 25_600}, Limit.APP),
        ({"backend_ceiling": 11_000}, Limit.BACKEND),
        ({"backend_ceiling": 11_200}, Limit.APP),
        ({"backend_ceiling": 11_000, "contention": 0.3}, Limit.NOISE),
        ({"app_idle": 0.4, "backend_ceiling": 20_000, "backend_idle": 0.05}, Limit.BACKEND),
        (
            {"app_idle": 0.4, "backend_ceiling": 20_000, "backend_idle": 0.5, "source_ceiling": None},
            Limit.NOISE,
        ),
        ({"contention": 0.3}, Limit.NOISE),
        ({"throttled": 1, "app_idle": 0.8, "requests": 12_000}, Limit.NOISE),
        ({"throttled": 1, "app_idle": 0.6, "waiting_ceiling": 25_600, "requests": 21_500}, Limit.NOISE),
        ({"throttled": 1, "app_idle": 0.4, "requests": 60_000}, Limit.NOISE),
        ({"pinned": False, "load_cpu": 0.2}, Limit.LOAD_GENERATOR),
    ],
)
def test_what_limited_a_round_is_named(change: dict[str, Any], limit: Limit) -> None:
    assert limit_of(**change) == limit


LITTLE = "rate × latency does not give the number of connections (Little's law)"
TOO_MANY = "more answers than requests that wait can get"


@pytest.mark.parametrize(
    ("change", "reasons"),
    [
        ({"errors": {"read": 2, "timeout": 1}}, ["errors: read, timeout"]),
        ({"throttled": 1}, [gate.THROTTLED]),
        ({"throttled": 3, "errors": {"timeout": 1}}, [gate.THROTTLED, "errors: timeout"]),
        ({"contention": 0.23}, ["others used the app's CPUs"]),
        ({"load_contention": 0.31}, ["others used the load generator's CPUs"]),
        ({"mean_ms": 3.0}, [LITTLE]),
        ({"mean_ms": 15.0}, [LITTLE]),
        ({"mean_ms": 9.0}, []),  # wrk corrected the latencies for a stall
        ({"mean_ms": 3.0, "load_cpu": 0.95}, []),  # a load generator at its limit is not blamed twice
        ({"waiting_ceiling": LOAD.throughput / 1.04}, []),
        ({"waiting_ceiling": LOAD.throughput / 1.06}, [TOO_MANY]),
        ({"source_ceiling": LOAD.throughput / 1.04}, []),
        ({"source_ceiling": LOAD.throughput / 1.06}, [TOO_MANY]),
    ],
)
def test_a_round_that_does_not_count_has_its_reasons(change: dict[str, Any], reasons: list[str]) -> None:
    assert reasons_against(**change) == reasons


DUET = {"errors": {}, "requests": (5_000, 6_000), "share": 0.48, "app_idle": 0.01, "contention": 0.02}


@pytest.mark.parametrize(
    ("change", "reasons"),
    [
        ({}, []),
        ({"errors": {"timeout": 1}}, ["errors: timeout"]),
        ({"requests": (7, 6_000)}, ["too few answers"]),
        ({"requests": (5_000, 0)}, ["too few answers"]),
        ({"contention": 0.5}, []),  # it was taken from both sides alike
        ({"contention": 0.7}, ["others used most of the app's CPUs"]),
        ({"share": 0.24}, ["one side had less than a quarter of the CPU time"]),
        ({"share": 0.76}, ["one side had less than a quarter of the CPU time"]),
        ({"share": 0.1, "app_idle": 0.4}, []),  # CPU time was left over: nobody was kept from it
    ],
)
def test_a_duet_that_does_not_count_has_its_reasons(change: dict[str, Any], reasons: list[str]) -> None:
    duet: dict[str, Any] = DUET | change
    use = Use(app_idle=duet.pop("app_idle"), contention=duet.pop("contention"), tick=0.02)
    assert gate.reasons_against_duet(**duet, use=use) == reasons


def test_the_ceiling_of_the_source_is_pool_or_connections_over_latency() -> None:
    assert source_ceiling(pool=100, latency_ms=1, workers=1, connections=64, fetches=1) == 64_000
    assert source_ceiling(pool=10, latency_ms=1, workers=1, connections=64, fetches=1) == 10_000
    assert source_ceiling(pool=10, latency_ms=1, workers=4, connections=64, fetches=2) == 20_000
    assert source_ceiling(pool=10, latency_ms=1, workers=1, connections=64, fetches=0) is None


def test_the_ceiling_of_waiting_is_connections_over_the_wait() -> None:
    assert waiting_ceiling(connections=512, waits_ms=20) == 25_600
    assert waiting_ceiling(connections=10, waits_ms=250) == 40
    assert waiting_ceiling(connections=64, waits_ms=0) is None


@pytest.mark.parametrize(("seconds", "limit"), [(1.0, Limit.NOISE), (0.15, Limit.APP), (0.03, Limit.APP)])
def test_what_ticks_cannot_tell_is_no_contention(seconds: float, limit: Limit) -> None:
    """A fifth of a second-long round was others'; of a batch of 150 ms it may be three ticks of the counters."""
    change = {"contention": 0.19, "tick": 0.01 / seconds}
    assert limit_of(**change) == limit
    assert bool(reasons_against(**change)) is (limit == Limit.NOISE)


def test_the_time_to_read_a_backends_cpu_time_is_no_part_of_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """For containers it takes some commands. That time would look as if others had used the CPUs."""
    now = 0.0

    def slow_reading() -> float:
        nonlocal now
        now += 0.1
        return 0.0

    monkeypatch.setattr(rounds, "settle", lambda _tools, _targets: None)
    tools: Any = SimpleNamespace(
        cpus=CpuSplit(app=(1,), load=(0,), backend=(0,), pinned=True),
        backend_cpu_seconds=slow_reading,
        clock=lambda: now,
        cpu_times=lambda _cpus: CpuTimes(idle=now, interrupts=0.0),
        throttled=lambda _targets: 0,
    )
    target: Any = SimpleNamespace(cpu_seconds=lambda: 0.0, resources=lambda: Resources(0.0, 0))
    counters = Counters(tools, [target])
    counters.begin()
    now += 1.0
    counters.end()
    seen = counters.used
    assert seen.wall == pytest.approx(1.0)
    assert taken_by_others(seen.app_side, 0.0, seen.wall) == pytest.approx(0.0)


STAT = """\
cpu  300 0 300 900 30 6 9 50 0 0
cpu0 100 0 100 300 10 2 3 20 0 0
cpu1 200 0 200 600 20 4 6 30 0 0
intr 12345
"""


def test_only_the_cpus_asked_for_are_summed_in_seconds(tmp_path: Path) -> None:
    (tmp_path / "stat").write_text(STAT)
    one = cpu_times([1], tmp_path / "stat")
    assert one.idle == pytest.approx(6.2)
    assert one.interrupts == pytest.approx(0.1)
    both = cpu_times([0, 1], tmp_path / "stat")
    assert both.idle == pytest.approx(9.3)
    assert both.interrupts == pytest.approx(0.15)
