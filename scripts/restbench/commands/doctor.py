"""`restbench doctor`: what this machine has and lacks, and how to get it."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
from rich.console import Console
from rich.markup import escape

from restbench.backends.native import PACKERS, PROGRAMS
from restbench.catalog import Catalog, load_catalog
from restbench.cpus import this_machine
from restbench.loadgen import Oha, Wrk
from restbench.machine import cpu_model, machine_class
from restbench.repository import Repository, find_repository
from restbench.targets.cpu_time import cpu_counter_trouble, fair_sharing, how_counted
from restbench.targets.engine import engine_trouble, engine_version
from restbench.targets.native import NativeRuntime
from restbench.targets.toolchains import describe, lacking_commands

_ROOM = 2 * 2**30
"""Bytes that environments and images of a board take."""


@dataclass(frozen=True)
class Finding:
    """One thing about the machine. `needed`: nothing goes without it. `remedy` is empty where all is well."""

    what: str
    says: str
    remedy: str = ""
    needed: bool = False


def doctor() -> int:
    """Prints the findings. Returns 3 where something needed is missing."""
    repository = find_repository()
    findings = list(examine(repository, load_catalog(repository).check()))
    console = Console()
    for finding in findings:
        mark = "[green]✓[/]" if not finding.remedy else "[red]✗[/]" if finding.needed else "[yellow]-[/]"
        remedy = f"; {finding.remedy}" if finding.remedy else ""
        console.print(f"{mark} {finding.what:16}{escape(finding.says + remedy)}", highlight=False, soft_wrap=True)
    return 3 if any(f.remedy and f.needed for f in findings) else 0


def examine(repository: Repository, catalog: Catalog) -> Iterator[Finding]:
    """Everything that a run depends on."""
    yield Finding("machine", f"{cpu_model()}, {machine_class()}")
    yield _cpus()
    yield _steal()
    yield _tool("wrk", Wrk().version(), Wrk().missing(), needed=True)
    yield _tool("oha", Oha().version(), Oha().missing(), needed=False)
    yield _tool("taskset", "there", None if shutil.which("taskset") else "install util-linux", needed=True)
    trouble = engine_trouble()
    if trouble:
        yield Finding("Docker", trouble, "start an engine for TARGET=docker; native runs need none")
    else:
        yield Finding("Docker", f"engine {engine_version()}")
    yield from _solr()
    yield Finding("cgroups", _cgroups())
    yield from _cpu_time()
    yield _room(repository)
    native = NativeRuntime(repository)
    for entry in catalog.entries.values():
        if lacking := native.lacks(entry):
            yield Finding(entry.id, "cannot run natively", lacking)


def _tool(name: str, version: str | None, missing: str | None, *, needed: bool) -> Finding:
    return Finding(name, version or "not found", missing or "", needed)


def _solr() -> Iterator[Finding]:
    """What the suite solr needs natively."""
    for program, command in {**PROGRAMS, **PACKERS}.items():
        lacks = describe(lacking_commands({program: command}))
        yield Finding(program, "not found" if lacks else "there", f"{lacks}; for the suite solr" if lacks else "")


def _cpus() -> Finding:
    split = this_machine()
    if split.pinned:
        return Finding("CPUs", f"{len(os.sched_getaffinity(0))}; {split.describe()}")
    return Finding("CPUs", split.describe(), "nothing ranks without two physical cores: use a larger machine")


def _steal() -> Finding:
    """Steal since boot: what the hypervisor gave to others."""
    times = psutil.cpu_times()
    share = times.steal / max(1e-9, sum(times))
    remedy = "a noisy host: expect rounds that do not count, and take PROFILE=full" if share > 0.02 else ""
    return Finding("steal", f"{share:.1%} of the time since boot", remedy)


def _cgroups() -> str:
    return "v2" if Path("/sys/fs/cgroup/cgroup.controllers").is_file() else "v1"


def _cpu_time() -> Iterator[Finding]:
    """How the CPU time of native apps is counted and shared."""
    yield Finding("CPU time", how_counted(), cpu_counter_trouble() or "")
    unfair = fair_sharing()
    yield Finding("CPU shares", "not equal" if unfair else "equal, whatever two apps on one CPU do", unfair or "")


def _room(repository: Repository) -> Finding:
    free = shutil.disk_usage(repository.root).free
    says = f"{free / 1e9:.1f} GB free"
    return Finding("disk", says, "make room: environments and images take about 2 GB" if free < _ROOM else "")
