"""Whole physical cores go to one side."""

from pathlib import Path

import pytest

from restbench.system.cpus import cpu_list, physical_cores, split_cpus


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
    for cpu, siblings in {0: "0,2", 1: "1,3", 2: "0,2", 3: "1,3"}.items():
        topology = tmp_path / f"cpu{cpu}" / "topology"
        topology.mkdir(parents=True)
        (topology / "thread_siblings_list").write_text(siblings + "\n")
    assert physical_cores({0, 1, 2, 3}, tmp_path) == [(0, 2), (1, 3)]
    assert physical_cores({1, 2, 3}, tmp_path) == [(1, 3), (2,)]
    assert physical_cores({4, 5}, tmp_path) == [(4,), (5,)]
    assert cpu_list((0, 2)) == "0,2"
