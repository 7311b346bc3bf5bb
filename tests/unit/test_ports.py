"""CPUs and ports of this machine: whole physical cores go to one side, and nobody else gets the port of an app."""

import errno
import os
import socket

import psutil
import pytest

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
