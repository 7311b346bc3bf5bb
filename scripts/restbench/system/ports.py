"""Ports of this machine."""

import contextlib
import errno
import random
import socket

import psutil

_RANGE = range(20_000, 32_768)
"""Below the ports that Linux gives to outgoing connections (ip_local_port_range). A load generator opens so many that
one chosen among them would sometimes be taken before the app listens on it."""

LAST = 65_535
"""The highest port of TCP."""


def free_port() -> int:
    """One that nothing uses just now, at random, so that two that look at the same time do not meet."""
    return next(port for port in random.sample(_RANGE, len(_RANGE)) if why_taken(port) is None)


def why_taken(port: int) -> str | None:
    """None for a port that is free on every address, else a reason and a remedy, as the start of a sentence:
    "port 8080 is taken by nginx (PID 17): stop it"."""
    if port > LAST:
        return f"port {port} does not exist, as {LAST} is the last one: begin at a lower one"
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", port))  # noqa: S104 - apps listen on every address, so every address must be free
        except OSError as error:
            if error.errno == errno.EACCES:
                return f"port {port} is for root alone: run this as root"
            return f"port {port} is taken{_holder(port)}: stop it"
    return None


def _holder(port: int) -> str:
    with contextlib.suppress(psutil.Error):
        for connection in psutil.net_connections("tcp"):
            if connection.status == psutil.CONN_LISTEN and connection.laddr[1:] == (port,) and connection.pid:
                return f" by {psutil.Process(connection.pid).name()} (PID {connection.pid})"
    return ""
