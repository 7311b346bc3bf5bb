"""Free TCP ports of this machine."""

import contextlib
import errno
import random
import socket

import psutil

_RANGE = range(20_000, 32_768)
"""The ports to choose from. They are below the ports that Linux gives to outgoing connections (ip_local_port_range). A
load generator opens so many connections that one of those ports would sometimes be taken before the app listens on it.
"""

LAST = 65_535
"""The highest port of TCP."""


def free_port() -> int:
    """Returns a port that is free now.

    It is chosen at random, so that two harnesses that look at the same time are unlikely to choose the same port.
    """
    return next(port for port in random.sample(_RANGE, len(_RANGE)) if port_unavailable_reason(port) is None)


def port_unavailable_reason(port: int) -> str | None:
    """Returns None for a port that is free on every address, else a reason and a remedy.

    They are the start of a sentence, such as "port 8080 is taken by nginx (PID 17): stop it".
    """
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
