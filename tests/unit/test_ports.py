"""CPUs and ports of this machine: whole physical cores go to one side, and nobody else gets the port of an app."""

import errno
import os
import socket
from pathlib import Path

import psutil
import pytest

from restbench.system.cpus import cpu_list, physical_cores, split_cpus
from restbench.system.ports import free_port, only_address, port_unavailable_reason

FIRST_OUTGOING = 32_768
"""Where Linux begins with ports of outgoing connections, unless somebody set it otherwise."""


def test_a_port_is_none_that_an_outgoing_connection_may_get() -> None:
    assert all(1024 < free_port() < FIRST_OUTGOING for _ in range(20))


def test_two_that_look_at_the_same_time_do_not_meet() -> None:
    assert len({free_port() for _ in range(10)}) > 5


def test_a_taken_port_is_named_with_who_holds_it() -> None:
    with socket.socket() as holder:
        port = free_port()
        assert port_unavailable_reason(port) is None
        holder.bind(("127.0.0.1", port))
        holder.listen()
        reason = port_unavailable_reason(port)
    assert reason is not None
    assert reason == f"port {port} is taken by {psutil.Process().name()} (PID {os.getpid()}): stop it"


def test_a_port_of_root_is_not_called_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_socket: socket.socket, _address: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", refuse)
    assert port_unavailable_reason(80) == "port 80 is for root alone: run this as root"


def test_a_port_beyond_the_last_is_named() -> None:
    assert (
        port_unavailable_reason(65_536) == "port 65536 does not exist, as 65535 is the last one: begin at a lower one"
    )


@pytest.mark.parametrize(
    ("family", "address", "only"),
    [
        (socket.AF_INET, "127.0.0.1", "127.0.0.1"),
        (socket.AF_INET, "127.0.0.2", "127.0.0.2"),
        pytest.param(socket.AF_INET6, "::1", "::1", marks=pytest.mark.needs("ipv6")),
        pytest.param(socket.AF_INET6, "::ffff:127.0.0.1", "::ffff:127.0.0.1", marks=pytest.mark.needs("ipv6")),
        (socket.AF_INET, "0.0.0.0", None),  # noqa: S104 - what apps have to listen on
        pytest.param(socket.AF_INET6, "::", None, marks=pytest.mark.needs("ipv6")),
    ],
)
def test_the_only_address_on_which_somebody_listens(family: int, address: str, only: str | None) -> None:
    port = free_port()
    assert only_address(port) is None
    with socket.socket(family) as listening:
        listening.bind((address, port))
        assert only_address(port) is None  # it does not listen yet
        listening.listen()
        assert only_address(port) == only
        with socket.create_connection(listening.getsockname()[:2]):
            assert only_address(port) == only


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
