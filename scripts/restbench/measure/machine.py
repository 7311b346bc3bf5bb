"""Describes the machine of a run, and the part of the harness that every figure depends on.

Figures can only be compared when both are known.
"""

import hashlib
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

MEASURING = (
    "fixtures/",
    "frameworks/reference/",
    "requirements.txt",
    "scripts/oha.toml",
    "scripts/restbench/backends/",
    "scripts/restbench/catalog/",
    "scripts/restbench/changes/compare.py",
    "scripts/restbench/changes/evidence.py",
    "scripts/restbench/changes/new_entry.py",
    "scripts/restbench/changes/series.py",
    "scripts/restbench/conformance/",
    "scripts/restbench/containers/",
    "scripts/restbench/loadgen/",
    "scripts/restbench/measure/",
    "scripts/restbench/stats/",
    "scripts/restbench/system/",
    "scripts/restbench/targets/",
    "scripts/wrk/",
)
"""Paths from the root of the repository. Folders end in a slash. A change of them measures everything anew. The
workflow `benchmark` has the same list."""

CHECKOUT = Path(__file__).resolve().parents[3]
"""The checkout that this package is in."""

_NO_SOURCE = {"__pycache__", "node_modules"}


def is_measuring(path: str) -> bool:
    """Whether the file is of MEASURING. `path` is from the root of the repository."""
    return any(is_in(path, place) for place in MEASURING)


def is_in(path: str, place: str) -> bool:
    """Whether a file is at a place, which is a folder where it ends in a slash."""
    return path.startswith(place) if place.endswith("/") else path == place


def measuring_hash(root: Path = CHECKOUT) -> str:
    """Returns a short hash of the files of MEASURING. A figure may change because one of them changed."""
    digest = hashlib.sha256()
    for place in MEASURING:
        named = root / place
        files = sorted(path for path in named.rglob("*") if path.is_file()) if named.is_dir() else [named]
        for path in files:
            if path.is_file() and not _NO_SOURCE.intersection(path.parts):
                digest.update(os.fsencode(path.relative_to(root)) + b"\0")
                digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


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
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith(("model name", "Model")):
            return line.partition(":")[2].strip()
    return platform.machine()
