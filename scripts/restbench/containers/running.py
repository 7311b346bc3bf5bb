"""A container that runs, with proof that its address, its process and its cgroup can be used from here."""

import ipaddress
import json
import socket
from dataclasses import dataclass
from typing import Any

from restbench.containers.cgroups import Cgroup, container_cgroup
from restbench.containers.engine import docker, elsewhere

_NO_MEMORY = (
    "this kernel does not count the memory of containers: add cgroup_enable=memory to its command line, "
    "or run on another machine"
)


class UnprovenError(Exception):
    """A container runs and cannot be measured from here. The text says why, with the remedy."""


@dataclass(frozen=True)
class Container:
    """The engine's description of a container."""

    inspected: Any

    @classmethod
    def named(cls, name: str) -> "Container":
        """Asks the engine for a container. Raises subprocess.SubprocessError."""
        return cls(json.loads(docker("inspect", name).stdout)[0])

    @property
    def pid(self) -> int:
        """The PID of its first process as the engine numbers it, 0 for a container that does not run."""
        state = self.inspected["State"]
        return int(state.get("Pid") or 0) if state.get("Running") else 0

    def address(self, network: str) -> str:
        """Returns its address on a network, if this machine is on that network too. Raises UnprovenError."""
        joined = self.inspected["NetworkSettings"]["Networks"].get(network) or {}
        address = joined.get("IPAddress")
        if not address:
            raise UnprovenError(elsewhere("it gives them no address"))
        if not _is_on(f"{address}/{joined.get('IPPrefixLen') or 32}"):
            raise UnprovenError(elsewhere(f"no interface of this machine is on the network of {address}"))
        return str(address)

    def cgroup(self) -> Cgroup:
        """Returns the cgroup of its processes. Raises UnprovenError."""
        found = container_cgroup(self.inspected["Id"], self.pid)
        if found is None:
            raise UnprovenError(elsewhere("it is in another PID namespace or in a virtual machine"))
        if not found.counts_memory():
            raise UnprovenError(_NO_MEMORY)
        return found


def _is_on(network: str) -> bool:
    """Returns whether this machine would send from an address of the network to the network. Nothing is sent."""
    peer = ipaddress.ip_interface(network)
    with socket.socket(socket.AF_INET6 if peer.version == 6 else socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((str(peer.ip), 9))
        except OSError:
            return False
        return ipaddress.ip_address(probe.getsockname()[0]) in peer.network
