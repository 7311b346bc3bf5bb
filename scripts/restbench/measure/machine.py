"""What machine this is: a figure without it cannot be compared with another."""

import hashlib
import os
import platform
from pathlib import Path

import psutil

from restbench import __version__
from restbench.containers.engine import engine_version
from restbench.loadgen import Oha, Wrk
from restbench.results.models import Machine
from restbench.system.cpus import CpuSplit

_PACKAGE = Path(__file__).resolve().parents[1]


def describe_machine(split: CpuSplit, docker: bool) -> Machine:
    """This machine and what measures on it."""
    return Machine(
        machine_class=machine_class(),
        cpu_model=cpu_model(),
        cpus=len(os.sched_getaffinity(0)),
        app_cpus=split.app,
        load_cpus=split.load,
        backend_cpus=split.backend,
        pinned=split.pinned,
        memory_bytes=psutil.virtual_memory().total,
        kernel=platform.release(),
        runner=os.environ.get("ImageOS"),  # what hosted runners call their image  # noqa: SIM112
        docker=engine_version() if docker else None,
        wrk=Wrk().version(),
        oha=Oha().version(),
        restbench=__version__,
        harness_hash=harness_hash(),
    )


def machine_class() -> str:
    """What figures may be compared within: $RESTBENCH_MACHINE, else hosting, architecture and CPU count.

    The CPU model is not part of it: hosted runners change it from job to job, which is what the reference is for.
    """
    hosted = os.environ.get("RUNNER_ENVIRONMENT") == "github-hosted"
    default = f"{'github-hosted' if hosted else 'local'}-{platform.machine()}-{len(os.sched_getaffinity(0))}cpu"
    return os.environ.get("RESTBENCH_MACHINE", default)


def cpu_model() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith(("model name", "Model")):
            return line.partition(":")[2].strip()
    return platform.machine()


def harness_hash() -> str:
    """A short hash of the harness: a figure may change because it did."""
    digest = hashlib.sha256()
    lua = _PACKAGE.parent / "wrk"
    for path in sorted([*_PACKAGE.rglob("*.py"), *_PACKAGE.rglob("*.toml"), *lua.glob("*.lua")]):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
