"""Ports for apps are free, and nobody else gets them meanwhile."""

import socket

from restbench.ports import free_port, why_taken

FIRST_OUTGOING = 32_768
"""Where Linux begins with ports of outgoing connections, unless somebody set it otherwise."""


def test_a_port_is_none_that_an_outgoing_connection_may_get() -> None:
    assert all(1024 < free_port() < FIRST_OUTGOING for _ in range(20))


def test_two_that_look_at_the_same_time_do_not_meet() -> None:
    assert len({free_port() for _ in range(10)}) > 5


def test_a_taken_port_is_named_with_who_holds_it() -> None:
    with socket.socket() as holder:
        port = free_port()
        assert why_taken(port) is None
        holder.bind(("127.0.0.1", port))
        holder.listen()
        said = why_taken(port)
    assert said is not None
    assert said.startswith(f"port {port} is taken by python")
