"""CPU quotas of version 1 and 2 of cgroups, and what they do to rounds."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from restbench.catalog import Catalog
from restbench.commands import bench
from restbench.commands.bench import make_plan
from restbench.errors import RestbenchError
from restbench.measure.events import Throttled
from restbench.measure.gate import CONTENTION, THROTTLED
from restbench.render.answer import disturbed_answer
from restbench.results.journal import Journal, read_unfinished
from restbench.system.cpus import split_of
from restbench.system.quotas import Quota, find_quota, throttled_periods
from tests.made.machines import plant
from tests.unit.fakes import World
from tests.unit.plans import QUICK, plan_of, run, without_repeats

CPU = "sys/fs/cgroup/cpu"


def v1(group: str, quota: int, period: int = 100_000, throttled: int = 0, mount: str = CPU) -> dict[str, str]:
    """The files of a cgroup of version 1. `group` begins with a slash."""
    return {
        f"{mount}{group}/cpu.cfs_quota_us": f"{quota}\n",
        f"{mount}{group}/cpu.cfs_period_us": f"{period}\n",
        f"{mount}{group}/cpu.stat": f"nr_periods 9\nnr_throttled {throttled}\nthrottled_time 12345\n",
    }


def v2(group: str, limit: str, throttled: int = 0) -> dict[str, str]:
    """The files of a cgroup of version 2."""
    stat = f"usage_usec 9\nnr_periods 9\nnr_throttled {throttled}\nthrottled_usec 12345\n"
    return {f"sys/fs/cgroup{group}/cpu.max": f"{limit}\n", f"sys/fs/cgroup{group}/cpu.stat": stat}


def in_group(path: str, version: int = 2) -> dict[str, str]:
    lines = f"3:cpuset:/\n2:cpu,cpuacct:{path}\n0::/\n" if version == 1 else f"0::{path}\n"
    return {"proc/self/cgroup": lines}


@pytest.mark.parametrize(
    ("files", "cpus", "file"),
    [
        (in_group("/a/b", 1) | v1("/a/b", 50_000), 0.5, f"{CPU}/a/b/cpu.cfs_quota_us"),
        (in_group("/a/b", 1) | v1("/a/b", -1) | v1("/a", 150_000) | v1("", -1), 1.5, f"{CPU}/a/cpu.cfs_quota_us"),
        (in_group("/a/b", 1) | v1("/a/b", 20_000, 10_000) | v1("/a", 150_000), 1.5, f"{CPU}/a/cpu.cfs_quota_us"),
        (in_group("/a/b", 1) | v1("/a/b", -1) | v1("/a", -1), None, ""),
        # in a container the mount begins at its own cgroup
        (in_group("/docker/0abc", 1) | v1("", 250_000), 2.5, f"{CPU}/cpu.cfs_quota_us"),
        (
            in_group("/a", 1) | v1("/a", 50_000, mount="sys/fs/cgroup/cpu,cpuacct"),
            0.5,
            "sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us",
        ),
        (in_group("/user/a") | v2("/user/a", "50000 100000"), 0.5, "sys/fs/cgroup/user/a/cpu.max"),
        (in_group("/user/a") | v2("/user/a", "max 100000") | v2("/user", "max 100000"), None, ""),
        (in_group("/p/a") | v2("/p/a", "400000 100000") | v2("/p", "300000 100000"), 3.0, "sys/fs/cgroup/p/cpu.max"),
        (in_group("/") | v2("", "200000 100000"), 2.0, "sys/fs/cgroup/cpu.max"),
        (in_group("/../outside") | v2("", "200000 100000"), 2.0, "sys/fs/cgroup/cpu.max"),
        (in_group("/a") | v2("/unified/a", "70000 100000"), 0.7, "sys/fs/cgroup/unified/a/cpu.max"),
        (in_group("/a") | {"sys/fs/cgroup/a/cpu.max": ""}, None, ""),
        (in_group("/a") | {"sys/fs/cgroup/a/cpu.max": "0 100000\n"}, None, ""),
        (in_group("/a"), None, ""),
        ({}, None, ""),
    ],
)  # fmt: skip
def test_the_smallest_quota_of_all_groups_above_counts(
    tmp_path: Path, files: dict[str, str], cpus: float | None, file: str
) -> None:
    assert find_quota(plant(tmp_path, files)) == (None if cpus is None else Quota(cpus, tmp_path / file))


@pytest.mark.parametrize(
    ("files", "periods"),
    [
        (in_group("/a/b", 1) | v1("/a/b", 50_000, throttled=3) | v1("/a", 50_000, throttled=4) | v1("", -1), 7),
        (in_group("/a/b") | v2("/a/b", "50000 100000", throttled=3) | v2("/a", "max 100000", throttled=4), 7),
        (in_group("/a"), 0),
        ({}, 0),
    ],
)
def test_throttled_periods_are_those_of_all_groups(tmp_path: Path, files: dict[str, str], periods: int) -> None:
    assert throttled_periods(root=plant(tmp_path, files)) == periods


def test_a_container_has_groups_of_its_own(tmp_path: Path) -> None:
    pod = v2("/pod/app", "max 100000") | v2("/pod", "100000 100000", throttled=5)
    root = plant(tmp_path, in_group("/own") | {"proc/42/cgroup": "0::/pod/app\n"} | pod)
    assert (throttled_periods(42, root), throttled_periods(root=root), throttled_periods(43, root)) == (5, 0, 0)


@pytest.mark.parametrize("quota", ["50000 100000", "99999 100000", "1000 1000000"])
def test_less_than_one_cpu_is_refused_before_anything_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quota: str
) -> None:
    split = split_of({0, 1}, plant(tmp_path, in_group("/a") | v2("/a", quota)))
    assert split.quota
    monkeypatch.setattr(bench, "this_machine", lambda: split)
    with pytest.raises(RestbenchError) as caught:
        make_plan(SimpleNamespace(catalog=SimpleNamespace(reference=None)), QUICK, None)  # type: ignore[arg-type]
    where = f"({split.quota.cpus:.3g} CPUs, set in {tmp_path}/sys/fs/cgroup/a/cpu.max)"
    remedy = "raise it, or run restbench outside of that cgroup"
    assert caught.value.message == f"a CPU quota of less than one CPU would throttle every round {where}: {remedy}"
    assert caught.value.exit_code == 1


def test_rounds_that_a_quota_throttled_are_measured_again(catalog: Catalog, tmp_path: Path) -> None:
    path, answers = tmp_path / "rounds.jsonl", []
    for world in (World(throttles=True), World()):
        taken_up = read_unfinished(path) if path.exists() else None
        with Journal(path, taken_up) as journal:
            outcome, events = run(
                without_repeats(plan_of(catalog, world, suites=["hello", "workload"])), journal, taken_up
            )
        answers.append(outcome)
        if world.throttles:
            assert any(isinstance(event, Throttled) for event in events)
    throttled, again = answers
    cells = [cell for result in throttled.results for cell in result.cells]
    assert all(set(cell.refused) == {THROTTLED} and not cell.solo.count for cell in cells if cell.measured)
    assert all(set(rate.refused) == {THROTTLED} for cell in cells for rate in cell.latency)
    shortage = throttled.shortage
    assert shortage
    assert (shortage.lacking, shortage.throttled, shortage.disturbed) == (shortage.cells, shortage.rounds, 0)
    says, remedy = disturbed_answer(shortage, "").sentences
    assert says == (
        "Nothing could be measured: a CPU quota throttled this machine (0.5 CPUs, set in "
        f"/sys/fs/cgroup/cpu/half/cpu.cfs_quota_us) in {shortage.rounds} of {shortage.rounds} rounds."
    )
    assert remedy.startswith("Raise it, or run restbench outside of that cgroup, and go on")
    assert again.shortage is None
    assert not CONTENTION & {reason for result in again.results for cell in result.cells for reason in cell.refused}


def test_a_split_says_what_the_quota_leaves(tmp_path: Path) -> None:
    split = split_of({0, 1}, plant(tmp_path, in_group("/a") | v2("/a", "150000 100000")))
    assert split.remarks == [f"a CPU quota leaves 1 of 2 CPUs: 1.5 CPUs, set in {tmp_path}/sys/fs/cgroup/a/cpu.max"]
