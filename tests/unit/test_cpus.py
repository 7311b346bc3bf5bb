"""Which CPUs the app, the load generator and the backend get, on machines of all kinds."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from restbench.commands import doctor
from restbench.system.cpu_kinds import cpus_in
from restbench.system.cpus import CpuSplit, cpu_list, physical_cores, split_cpus, split_of, within
from tests.made.machines import plant


def test_two_cores_are_one_each_and_the_app_gets_the_last() -> None:
    split = split_cpus([(0,), (1,)])
    assert (split.app, split.load, split.backend, split.pinned) == ((1,), (0,), (0,), True)
    assert split.describe() == "app on CPU 1, load generator on CPU 0"


def test_hyperthreads_stay_together_and_with_six_cores_the_backend_has_its_own() -> None:
    hosted, large = split_cpus([(0, 1), (2, 3)]), split_cpus([(n,) for n in range(6)])
    assert (hosted.app, hosted.load, hosted.backend) == ((2, 3), (0, 1), (0, 1))
    assert (large.app, large.load, large.backend) == ((4, 5), (0, 1), (2, 3))


@pytest.mark.parametrize("cores", range(2, 33))
def test_no_cpu_is_on_the_app_s_side_and_another(cores: int) -> None:
    split = split_cpus([(2 * n, 2 * n + 1) for n in range(cores)])
    assert split.app
    assert split.load
    assert split.backend
    assert not set(split.app) & set(split.load + split.backend)
    assert cores < 6 or not set(split.load) & set(split.backend)


@pytest.mark.parametrize("cores", [[(0,)], [(0, 1)]])
def test_one_core_is_not_split(cores: list[tuple[int, ...]]) -> None:
    split = split_cpus(cores)
    assert not split.pinned
    assert split.app == split.load == tuple(cpu for core in cores for cpu in core)
    assert "not pinned" in split.describe()


def test_siblings_are_read_from_the_kernel(tmp_path: Path) -> None:
    root = plant(tmp_path, cpus("0,2 1,3"))
    assert physical_cores({0, 1, 2, 3}, root) == [(0, 2), (1, 3)]
    assert physical_cores({1, 2, 3}, root) == [(1, 3), (2,)]
    assert physical_cores({4, 5}, root) == [(4,), (5,)]
    assert cpu_list((0, 2)) == "0,2"


def cpus(
    cores: str,
    *,
    ghz: Sequence[tuple[str, float]] = (),
    capacity: Sequence[tuple[str, int]] = (),
    p: str = "",
    e: str = "",
    nodes: Sequence[str] = ("",),
) -> dict[str, str]:
    """The files of a machine. `cores`: the siblings of each core. `p`, `e`: what Intel calls the CPUs."""
    folder = "sys/devices/system/cpu"
    siblings = {cpu: group for group in cores.split() for cpu in cpus_in(group)}
    files = {f"{folder}/cpu{cpu}/topology/thread_siblings_list": f"{group}\n" for cpu, group in siblings.items()}
    files[f"{folder}/online"] = f"{','.join(map(str, siblings))}\n"
    files |= {
        f"{folder}/cpu{n}/cpufreq/cpuinfo_max_freq": f"{each * 1e6:.0f}\n"
        for group, each in ghz
        for n in cpus_in(group)
    }
    files |= {f"{folder}/cpu{n}/cpu_capacity": f"{each}\n" for group, each in capacity for n in cpus_in(group)}
    files |= {f"sys/devices/cpu_{name}/cpus": f"{text}\n" for name, text in (("core", p), ("atom", e)) if text}
    return files | {f"sys/devices/system/node/node{n}/cpulist": f"{text}\n" for n, text in enumerate(nodes) if text}


def pairs(first: int, last: int) -> str:
    """Cores of two neighbouring CPUs each."""
    return " ".join(f"{cpu}-{cpu + 1}" for cpu in range(first, last, 2))


def single(first: int, last: int) -> str:
    return " ".join(map(str, range(first, last + 1)))


I7_12700K = cpus(
    f"{pairs(0, 15)} {single(16, 19)}",
    ghz=[("0-7,12-15", 4.9), ("8-11", 5.0), ("16-19", 3.8)],
    p="0-15",
    e="16-19",
)
I9_14900K = cpus(
    f"{pairs(0, 15)} {single(16, 31)}",
    ghz=[("0-7,12-15", 5.7), ("8-11", 6.0), ("16-31", 4.4)],
    p="0-15",
    e="16-31",
)
I5_1235U = cpus(f"{pairs(0, 3)} {single(4, 11)}", ghz=[("0-3", 4.4), ("4-11", 3.3)], p="0-3", e="4-11")
ULTRA_155H = cpus(
    f"{pairs(0, 11)} {single(12, 21)}", ghz=[("0-11", 4.8), ("12-19", 3.8), ("20-21", 2.5)], p="0-11", e="12-21"
)
TWO_P = cpus(single(0, 5), ghz=[("0-1", 4.4), ("2-5", 3.3)], p="0-1", e="2-5")
ONE_P = cpus("0-1 2 3 4 5", ghz=[("0-1", 4.4), ("2-5", 3.3)], p="0-1", e="2-5")
ONE_OF_EACH = cpus("0 1", ghz=[("0", 4.4), ("1", 3.3)], p="0", e="1")
XEON = cpus(" ".join(f"{n},{n + 32}" for n in range(32)), ghz=[("0-63", 3.9)], nodes=["0-15,32-47", "16-31,48-63"])
APPLE_M1 = cpus(single(0, 7), capacity=[("0-3", 459), ("4-7", 1024)], ghz=[("0-3", 2.064), ("4-7", 3.204)])
DENSE = cpus(" ".join(f"{n},{n + 12}" for n in range(12)), ghz=[("0-3,12-15", 5.1), ("4-11,16-23", 3.3)])
FOUR_OF_EACH_NODE = cpus(single(0, 7), nodes=["0-3", "4-7"])
SOME_OFFLINE = I7_12700K | {"sys/devices/system/cpu/online": "0-11,16-19"}
GITHUB = cpus("0-1 2-3", nodes=["0-3"])


@pytest.mark.parametrize(
    ("machine", "allowed", "app", "load", "backend", "kind", "left_out"),
    [
        (I7_12700K, "0-19", "12-15", "0-7", "8-11", "P-cores", "CPU 16-19 (E-cores)"),
        (I7_12700K, "16-19", "18-19", "16-17", "16-17", "E-cores", None),
        (I7_12700K, "0-15", "12-15", "0-7", "8-11", "P-cores", None),
        (I9_14900K, "0-31", "12-15", "0-7", "8-11", "P-cores", "CPU 16-31 (E-cores)"),
        (I5_1235U, "0-11", "2-3", "0-1", "0-1", "P-cores", "CPU 4-11 (E-cores)"),
        (
            ULTRA_155H, "0-21", "8-11", "0-3", "4-7", "P-cores",
            "CPU 12-19 (E-cores of 3.8 GHz); CPU 20-21 (E-cores of 2.5 GHz)",
        ),
        (ULTRA_155H, "20-21", "21", "20", "20", "E-cores of 2.5 GHz", None),
        (TWO_P, "0-5", "1", "0", "0", "P-cores", "CPU 2-5 (E-cores)"),
        (ONE_P, "0-5", "4-5", "2-3", "2-3", "E-cores", "CPU 0-1 (P-cores)"),
        (XEON, "0-63", "11-15,43-47", "0-5,32-37", "6-10,38-42", None, "CPU 16-31,48-63 (node 1)"),
        (XEON, "0-2,16-31", "27-31", "16-21", "22-26", None, "CPU 0-2 (node 0)"),
        (APPLE_M1, "0-7", "6-7", "4-5", "4-5", "capacity 1024", "CPU 0-3 (capacity 459)"),
        (DENSE, "0-23", "2-3,14-15", "0-1,12-13", "0-1,12-13", "5.1 GHz", "CPU 4-11,16-23 (3.3 GHz)"),
        (FOUR_OF_EACH_NODE, "0-7", "2-3", "0-1", "0-1", None, "CPU 4-7 (node 1)"),
        (GITHUB, "0-3", "2-3", "0-1", "0-1", None, None),
        ({}, "0-3", "2-3", "0-1", "0-1", None, None),
        (SOME_OFFLINE, "0-11,16-19", "8-11", "0-3", "4-7", "P-cores", "CPU 16-19 (E-cores)"),
    ],
)  # fmt: skip
def test_all_sides_get_cores_of_the_fastest_kind_and_of_one_node(
    tmp_path: Path,
    machine: dict[str, str],
    allowed: str,
    app: str,
    load: str,
    backend: str,
    kind: str | None,
    left_out: str | None,
) -> None:
    split = split_of(cpus_in(allowed), plant(tmp_path, machine))
    sides = [set(side) for side in (split.app, split.load, split.backend)]
    assert sides == [cpus_in(app), cpus_in(load), cpus_in(backend)]
    assert split.left_out == (f"left out, as they are unlike: {left_out}" if left_out else None)
    assert (split.kind, split.unlike, split.pinned) == (kind, None, True)
    assert split.count == len(cpus_in(allowed))


@pytest.mark.parametrize(
    ("machine", "app", "kind", "unlike"),
    [
        (ONE_OF_EACH, (0,), "P-cores and E-cores", "no two cores are alike: CPU 0 (P-cores); CPU 1 (E-cores)"),
        (cpus("0 1", nodes=["0", "1"]), (1,), None, "no two cores are alike: CPU 0 (node 0); CPU 1 (node 1)"),
        (cpus("0 1"), (1,), None, None),
    ],
)
def test_where_no_two_cores_are_alike_all_are_used_and_the_app_gets_the_fastest(
    tmp_path: Path, machine: dict[str, str], app: tuple[int, ...], kind: str | None, unlike: str | None
) -> None:
    root = plant(tmp_path, machine)
    split = split_of({0, 1}, root)
    assert (split.app, split.kind, split.unlike, split.pinned) == (app, kind, unlike, True)
    cautions = [tool.found for tool in doctor.cpus(split, root) if tool.remedy]
    assert cautions == [unlike] * (unlike is not None)


@pytest.mark.parametrize("cores", range(1, 33))
def test_cpus_that_are_alike_are_split_as_if_nothing_was_known_of_them(tmp_path: Path, cores: int) -> None:
    every = cpus(pairs(0, 2 * cores), ghz=[(f"0-{2 * cores - 1}", 3.5)], capacity=[(f"0-{2 * cores - 1}", 1024)])
    split, plain = (
        split_of(set(range(2 * cores)), plant(tmp_path, every)),
        split_cpus([(2 * n, 2 * n + 1) for n in range(cores)]),
    )
    assert (split.app, split.load, split.backend, split.pinned) == (plain.app, plain.load, plain.backend, plain.pinned)
    assert not split.remarks


@pytest.mark.parametrize(("share", "kinds"), [(1.0, 1), (0.94, 1), (0.86, 1), (0.84, 2), (0.65, 2)])
def test_favoured_cores_are_of_one_kind_with_the_others(tmp_path: Path, share: float, kinds: int) -> None:
    split = split_of(set(range(4)), plant(tmp_path, cpus(single(0, 3), ghz=[("0-1", 5.0), ("2-3", 5.0 * share)])))
    assert set(split.used) == set(range(4 if kinds == 1 else 2))


QUOTA = {"proc/self/cgroup": "0::/\n"}


@pytest.mark.parametrize(
    ("machine", "quota", "app", "load", "pinned", "count"),
    [
        (GITHUB, "max 100000", "2-3", "0-1", True, 4),
        (GITHUB, "400000 100000", "2-3", "0-1", True, 4),
        (GITHUB, "390000 100000", "2-3", "2-3", False, 3),
        (GITHUB, "200000 100000", "2", "0", True, 2),
        (GITHUB, "199000 100000", "2", "2", False, 1),
        (GITHUB, "50000 100000", "2", "2", False, 1),
        (I7_12700K, "400000 100000", "12,14", "8,10", True, 4),
        (XEON, "800000 100000", "14-15", "8-11", True, 8),
        ({}, "150000 100000", "3", "3", False, 1),
    ],
)
def test_no_more_cpus_are_used_than_a_quota_pays_for(
    tmp_path: Path, machine: dict[str, str], quota: str, app: str, load: str, pinned: bool, count: int
) -> None:
    root = plant(tmp_path, machine | QUOTA | {"sys/fs/cgroup/cpu.max": f"{quota}\n"})
    online = root / "sys/devices/system/cpu/online"
    allowed = cpus_in(online.read_text(encoding="utf-8")) if online.exists() else set(range(4))
    split = split_of(allowed, root)
    assert (set(split.app), set(split.load), split.pinned) == (cpus_in(app), cpus_in(load), pinned)
    assert split.count == min(count, len(allowed))
    assert bool(split.capped) == (split.count < len(allowed))
    assert split.confined or split.quota is None
    again = split_of(set(split.used), root)
    assert (again.app, again.load, again.pinned) == (split.app, split.load, split.pinned), "once more, when confined"


def test_whole_cores_are_taken_where_a_quota_pays_for_more_cpus_than_cores() -> None:
    cores = [(0, 4), (1, 5), (2, 6), (3, 7)]
    assert within(cores, 6) == [(1, 5), (2, 6), (3, 7)]
    assert within(cores, 5) == [(2, 6), (3, 7)]
    assert within(cores, 4) == [(0,), (1,), (2,), (3,)]


def test_sides_that_share_all_cpus_are_not_confined() -> None:
    assert not CpuSplit((0, 1), (0, 1), (0, 1), pinned=False).confined
