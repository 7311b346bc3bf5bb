"""How CPU time is counted and shared, and what the harness says of each kind of machine."""

from collections.abc import Callable
from pathlib import Path

import pytest

from restbench.containers.cgroups import CgroupParent
from restbench.system import resource_use
from restbench.targets import cpu_time
from restbench.targets.app_processes import usable

FULL = CgroupParent((Path("/sys/fs/cgroup/cpu"),), shares=True, version="v1")
COUNTING = CgroupParent((Path("/sys/fs/cgroup/here"),), shares=False, version="v2")


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> "Machine":
    return Machine(tmp_path / "autogroup", monkeypatch)


class Machine:
    """What the kernel and this harness's rights allow."""

    def __init__(self, autogroup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._autogroup = autogroup
        self._monkeypatch = monkeypatch

    def has(
        self, place: CgroupParent | None, *, root_group: bool, autogroup: str | None = None, clocks: bool = True
    ) -> None:
        self._monkeypatch.setattr(cpu_time, "app_place", lambda: place)
        self._monkeypatch.setattr(cpu_time, "in_root_group", lambda: root_group)
        self._monkeypatch.setattr(cpu_time, "clocks_work", lambda: clocks)
        if autogroup is not None:
            self._autogroup.write_text(autogroup)

    def unfair(self) -> str | None:
        return cpu_time.fair_sharing(self._autogroup)


def test_a_cgroup_for_each_app_is_fair(machine: Machine) -> None:
    machine.has(FULL, root_group=False)
    assert machine.unfair() is None
    assert cpu_time.how_counted() == "of an app's cgroup (v1)"


@pytest.mark.parametrize("place", [None, COUNTING])
def test_without_autogroup_is_fair_in_the_root_group(machine: Machine, place: CgroupParent | None) -> None:
    machine.has(place, root_group=True, autogroup="1\n")
    assert machine.unfair() is None
    machine.has(place, root_group=False, autogroup="1\n")
    remedy = "run restbench where it may make cgroups (root mostly may), or use --target docker"
    assert remedy in (machine.unfair() or "")


@pytest.mark.parametrize("autogroup", ["0\n", None])
def test_autogroup_has_to_be_on(machine: Machine, autogroup: str | None) -> None:
    machine.has(None, root_group=True, autogroup=autogroup)
    assert (machine.unfair() or "").endswith("sysctl kernel.sched_autogroup_enabled=1")


def test_cpu_time_is_counted_by_cgroup_or_clock_and_else_the_reason_is_given(machine: Machine) -> None:
    machine.has(None, root_group=True)
    assert cpu_time.how_counted() == "of each process, by its own clock"
    assert cpu_time.cpu_counter_unavailable_reason() is None
    machine.has(COUNTING, root_group=True, clocks=False)
    assert cpu_time.how_counted() == "of an app's cgroup (v2)"
    assert cpu_time.cpu_counter_unavailable_reason() is None
    machine.has(None, root_group=True, clocks=False)
    assert cpu_time.how_counted() == "of each process, in ticks of 10 ms"
    assert "rows have no relative cost" in (cpu_time.cpu_counter_unavailable_reason() or "")


def test_a_place_where_no_cgroup_can_be_made_or_entered_is_not_used(tmp_path: Path) -> None:
    assert not usable(CgroupParent((tmp_path / "nowhere",), shares=True, version="v2"))
    locked = tmp_path / "locked"
    locked.mkdir()
    (locked / "cgroup.procs").mkdir()
    assert not usable(CgroupParent((locked, tmp_path / "nowhere"), shares=True, version="v1"))
    assert list(locked.iterdir()) == [locked / "cgroup.procs"], "what was made of it is removed again"


@pytest.mark.parametrize("clocks", [resource_use.clocks_work, lambda: False], ids=["this kernel's", "none"])
def test_the_time_of_a_process_is_read_from_its_clock_or_in_ticks(
    clocks: Callable[[], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resource_use, "clocks_work", clocks)
    assert resource_use.cpu_clock(1) >= 0.0
    with pytest.raises(ProcessLookupError):
        resource_use.cpu_clock(2**22 + 1)
