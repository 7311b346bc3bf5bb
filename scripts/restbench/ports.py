"""Ports of this machine."""

import contextlib
import socket

import psutil


def free_port() -> int:
    """One that nothing listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def why_taken(port: int) -> str | None:
    """None for a port that is free on every address, else "port 8080 is taken by nginx (PID 17)"."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", port))  # noqa: S104 - apps listen on every address, so every address must be free
        except OSError:
            return f"port {port} is taken{_holder(port)}"
    return None


def _holder(port: int) -> str:
    with contextlib.suppress(psutil.Error):
        for connection in psutil.net_connections("tcp"):
            if connection.status == psutil.CONN_LISTEN and connection.laddr[1:] == (port,) and connection.pid:
                return f" by {psutil.Process(connection.pid).name()} (PID {connection.pid})"
    return ""
