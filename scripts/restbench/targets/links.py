"""The link between clients and an app: a direct one, or one with a delay, which netem emulates (tc-netem(8)).

Natively the clients run in a network namespace of their own. A pair of virtual interfaces joins the namespace to this
machine, and each interface delays the packets that it sends. In Docker only the container's own interface delays
packets: its delay is that of both directions together.

Only root may do this. In Docker a user who is not root uses sudo, where it asks for no password. Natively such a user
cannot do it, because sudo would also run the load generator, and could not be made to end it.
"""

import contextlib
import os
import random
import subprocess
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from urllib.parse import urlsplit

from restbench.errors import ToolError
from restbench.system.owners import owner_id, owner_lives

_NAMESPACE = "restbench-"
_NETWORK = (198, 18)
"""198.18.0.0/15 is reserved for benchmarks of network devices (RFC 2544), so that nothing else should use it."""

_CANNOT = "this machine cannot delay a link"


@dataclass(frozen=True)
class NetworkLink:
    """The address of the app for clients, and the arguments before a client's command that put it at the far end."""

    base_url: str
    through: tuple[str, ...] = ()


def _run(*arguments: str) -> str:
    try:
        ran = subprocess.run(arguments, capture_output=True, encoding="utf-8", check=True, timeout=10)
    except FileNotFoundError as error:
        remedy = "run as root" if arguments[0] == "sudo" else "install it with: apt-get install iproute2 util-linux"
        raise ToolError(f"{arguments[0]} is missing: {remedy}") from error
    except subprocess.SubprocessError as error:
        message = error.stderr.strip() if isinstance(error, subprocess.CalledProcessError) else "it does not end"
        who = "sudo" if message.startswith("sudo: ") else "tc" if "tc" in arguments else arguments[0]
        raise ToolError(f"{who} says: {message.removeprefix('sudo: ')}", " ".join(arguments)) from error
    return ran.stdout


def as_root() -> tuple[str, ...]:
    """Returns the words before a command that only root may run."""
    return () if os.geteuid() == 0 else ("sudo", "-n")


@cache
def native_link_unavailable_reason() -> str | None:
    """Returns None when native_link() works on this machine, else why not.

    It is tried once, in a network namespace that is removed afterwards.
    """
    try:
        with _namespace() as inside:
            _run(*inside, "tc", *_add_delay("lo", 1))
    except ToolError as error:
        return f"{_CANNOT}: {error.message}"
    return None


@cache
def container_link_unavailable_reason() -> str | None:
    """Returns None when container_link() works on this machine, else why not.

    It is tried once, in a network namespace that ends with the command.
    """
    try:
        _run(*as_root(), "unshare", "--net", "tc", *_add_delay("lo", 1))
    except ToolError as error:
        return f"{_CANNOT}: {error.message}"
    return None


def _add_delay(device: str, delay_ms: float) -> tuple[str, ...]:
    """Returns the arguments of tc that delay the packets which a device sends."""
    return ("qdisc", "add", "dev", device, "root", "netem", "delay", f"{delay_ms:g}ms")


@contextmanager
def native_link(base_url: str, delay_ms: float) -> Iterator[NetworkLink]:
    """Makes a network namespace for clients, with a delay of `delay_ms` in each direction. Raises ToolError."""
    if not delay_ms:
        yield NetworkLink(base_url)
        return
    number = random.randrange(2**15)
    here, there = f"rb{number}h", f"rb{number}n"
    near, far = _addresses(number)
    with _namespace() as inside, contextlib.ExitStack() as undo:
        _run("ip", "link", "add", here, "type", "veth", "peer", "name", there, "netns", inside[-1])
        undo.callback(_run, "ip", "link", "delete", here)
        for arguments, device, address in (((), here, near), (inside, there, far)):
            _run(*arguments, "ip", "address", "add", f"{address}/30", "dev", device)
            _run(*arguments, "ip", "link", "set", device, "up")
            _run(*arguments, "tc", *_add_delay(device, delay_ms))
        yield NetworkLink(f"http://{near}:{urlsplit(base_url).port}", inside)


@contextmanager
def container_link(base_url: str, delay_ms: float, process: Callable[[], int | None]) -> Iterator[NetworkLink]:
    """Makes a container delay its answers by the delay of both directions. Raises ToolError.

    `process` returns the PID of its first process, None where it has ended. Nothing is changed then.
    """
    if not delay_ms:
        yield NetworkLink(base_url)
        return

    def tc(*arguments: str) -> None:
        if pid := process():
            _run(*as_root(), "nsenter", "--target", str(pid), "--net", "tc", *arguments)

    tc(*_add_delay("eth0", 2 * delay_ms))
    try:
        yield NetworkLink(base_url)
    finally:
        tc("qdisc", "delete", "dev", "eth0", "root")


@contextmanager
def _namespace() -> Iterator[tuple[str, ...]]:
    """Makes a network namespace. Yields the words before a command that is to run in it. The last one is its name."""
    name = f"{_NAMESPACE}{owner_id()}-{uuid.uuid4().hex[:8]}"
    _run("ip", "netns", "add", name)
    try:
        yield ("ip", "netns", "exec", name)
    finally:
        _run("ip", "netns", "delete", name)


def _addresses(number: int) -> tuple[str, str]:
    """Returns the addresses of both ends of a link, in one of 32,768 networks of four addresses."""
    network = number * 4
    return tuple(  # type: ignore[return-value]
        f"{_NETWORK[0]}.{_NETWORK[1] + (n >> 16)}.{n >> 8 & 255}.{n & 255}" for n in (network + 1, network + 2)
    )


def remove_orphans() -> list[str]:
    """Removes the network namespaces of dead harnesses with their interfaces. Returns a description of each."""
    removed = []
    with contextlib.suppress(ToolError):
        for line in _run("ip", "netns", "list").splitlines():
            name = line.split()[0]
            owner = name.removeprefix(_NAMESPACE).rpartition("-")[0]
            if name.startswith(_NAMESPACE) and not owner_lives(owner):
                _run("ip", "netns", "delete", name)
                removed.append(f"network namespace {name}")
    return removed
