"""Free TCP ports of this machine."""

import contextlib
import errno
import random
import socket
import sys
from pathlib import Path

import psutil

_RANGE = range(20_000, 32_768)
"""The ports to choose from. They are below the ports that Linux gives to outgoing connections (ip_local_port_range). A
load generator opens so many connections that one of those ports would sometimes be taken before the app listens on it.
"""

LAST = 65_535
"""The highest port of TCP."""

_LISTENS = "0A"
"""A socket's state in /proc/net/tcp: TCP_LISTEN of the kernel's include/net/tcp_states.h."""

_EVERYWHERE = {"0.0.0.0", "::", "::ffff:0.0.0.0"}  # noqa: S104 - these are what an app listens on


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


def only_address(port: int, process: int | str = "self") -> str | None:
    """Returns the only address on which somebody listens on that port, such as "127.0.0.1".

    None where it is every address, where nobody listens, and where the kernel's tables cannot be read. `process`: one
    that is in the network to look at.
    """
    found: list[str] = []
    for version, table in ((socket.AF_INET, "tcp"), (socket.AF_INET6, "tcp6")):
        try:
            rows = Path(f"/proc/{process}/net/{table}").read_text(encoding="utf-8").splitlines()[1:]
        except OSError:
            continue
        for _, local, _, state, *_ in map(str.split, rows):
            address, _, of_port = local.partition(":")
            if state == _LISTENS and int(of_port, 16) == port:
                # the kernel writes each group of four bytes in the machine's order (proc_pid_net(5))
                words = [int(address[at : at + 8], 16) for at in range(0, len(address), 8)]
                found.append(socket.inet_ntop(version, b"".join(word.to_bytes(4, sys.byteorder) for word in words)))
    return None if not found or not _EVERYWHERE.isdisjoint(found) else found[0]


def _holder(port: int) -> str:
    with contextlib.suppress(psutil.Error):
        for connection in psutil.net_connections("tcp"):
            if connection.status == psutil.CONN_LISTEN and connection.laddr[1:] == (port,) and connection.pid:
                return f" by {psutil.Process(connection.pid).name()} (PID {connection.pid})"
    return ""
