"""Describes the machine of a run. Figures can only be compared when their machines are known."""

import os
import platform
from pathlib import Path

import psutil

from restbench import __version__
from restbench.containers.engine import engine_version
from restbench.loadgen import OHA, WRK
from restbench.results.models import Machine
from restbench.system.cpus import CpuSplit
from restbench.system.git import commit
from restbench.system.measuring import CHECKOUT, measuring_hash


def describe_machine(split: CpuSplit, docker: bool) -> Machine:
    """Describes this machine, and the load generators and the harness that measure on it."""
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
        runner=os.environ.get("ImageOS"),  # the image of a hosted runner  # noqa: SIM112
        docker=engine_version() if docker else None,
        load_generators=tuple(f"{each.name} {version}" for each in (WRK, OHA) if (version := each.version())),
        restbench=__version__,
        harness_hash=measuring_hash(),
        commit=commit(CHECKOUT),
    )


def machine_class() -> str:
    """Returns the class of machines whose figures may be compared with each other.

    It is $RESTBENCH_MACHINE, else hosting, architecture and CPU count. The CPU model is not part of it, because hosted
    runners change it from job to job. The reference is measured for that reason.
    """
    hosted = os.environ.get("RUNNER_ENVIRONMENT") == "github-hosted"
    default = f"{'github-hosted' if hosted else 'local'}-{platform.machine()}-{len(os.sched_getaffinity(0))}cpu"
    return os.environ.get("RESTBENCH_MACHINE", default)


def cpu_model() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith(("model name", "Model")):
            return line.partition(":")[2].strip()
    return platform.machine()
