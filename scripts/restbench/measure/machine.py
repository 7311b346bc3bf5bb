"""Describes the machine of a run, and the part of the harness that every figure depends on.

Figures can only be compared when both are known.
"""

import hashlib
import os
import platform
import re
from collections.abc import Iterator
from pathlib import Path

import psutil

from restbench import __version__
from restbench.containers.engine import engine_version
from restbench.errors import UsageError
from restbench.loadgen import OHA, WRK
from restbench.results.models import MACHINE_CLASS, Machine
from restbench.system.cpus import CpuSplit
from restbench.system.git import commit
from restbench.system.hardware import cpu_model, governor, machine_kind

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


def measuring_files(root: Path = CHECKOUT) -> Iterator[Path]:
    """Yields the files of MEASURING, in the order of the places."""
    for place in MEASURING:
        named = root / place
        files = sorted(path for path in named.rglob("*") if path.is_file()) if named.is_dir() else [named]
        yield from (path for path in files if path.is_file() and not _NO_SOURCE.intersection(path.parts))


def measuring_hash(root: Path = CHECKOUT) -> str:
    """Returns a short hash of the files of MEASURING. A figure may change because one of them changed."""
    digest = hashlib.sha256()
    for path in measuring_files(root):
        digest.update(os.fsencode(path.relative_to(root)) + b"\0")
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def describe_machine(split: CpuSplit, docker: bool) -> Machine:
    """Describes this machine, and the load generators and the harness that measure on it."""
    return Machine(
        machine_class=machine_class(split),
        cpu_model=cpu_model(),
        cpus=split.count,
        app_cpus=split.app,
        load_cpus=split.load,
        backend_cpus=split.backend,
        pinned=split.pinned,
        cpu_quota=split.quota.cpus if split.quota else None,
        cpu_kind=split.kind,
        unused_cpus="; ".join(split.remarks) or None,
        governor=governor(split.used),
        kind=machine_kind(),
        memory_bytes=psutil.virtual_memory().total,
        kernel=platform.release(),
        runner=os.environ.get("ImageOS"),  # the image of a hosted runner  # noqa: SIM112
        docker=engine_version() if docker else None,
        load_generators=tuple(f"{each.name} {version}" for each in (WRK, OHA) if (version := each.version())),
        restbench=__version__,
        harness_hash=measuring_hash(),
        commit=commit(CHECKOUT),
    )


_LONGEST = 60
"""The most characters of a class."""

_NAMING = f"write at most {_LONGEST} small letters, digits, dots, hyphens and underscores"


def machine_class(split: CpuSplit, root: Path = Path("/")) -> str:
    """Returns the class of machines whose figures may be compared with each other.

    It is $RESTBENCH_MACHINE, else what makes figures incomparable: hosting, the kind of machine, architecture, the
    number of CPUs of the app (runtimes choose their garbage collector by it) and of the machine, and of machines of
    one's own the kind of the cores and a governor that is not "performance". The CPU model is not part of it, because
    hosted runners change it from job to job. The reference is measured for that reason. Raises UsageError for a
    $RESTBENCH_MACHINE that is no name of a class.
    """
    if named := os.environ.get("RESTBENCH_MACHINE"):
        if not re.match(MACHINE_CLASS, named):
            raise UsageError(f"$RESTBENCH_MACHINE is {named!r}: {_NAMING}")
        return named
    cpus = [platform.machine(), f"{len(split.app)}of{split.count}cpu"]
    if os.environ.get("RUNNER_ENVIRONMENT") == "github-hosted":
        return "-".join(["github-hosted", *cpus])
    slow = governor(split.used, root)
    parts = ["local", machine_kind(root), *cpus, split.kind, slow if slow != "performance" else None]
    name = re.sub(r"[^a-z0-9_.]+", "-", "-".join(filter(None, parts)).lower())
    return name[:_LONGEST].rstrip("-.")
