"""`restbench doctor`: reports what this machine has and lacks, and how to get what it lacks."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
from rich.console import Console
from rich.markup import escape

from restbench.backends import SOLR
from restbench.backends.native import PACKERS, PROGRAMS
from restbench.catalog import Catalog, load_catalog
from restbench.containers.engine import docker_unavailable_reason, engine_version
from restbench.errors import CatalogError, MissingToolError
from restbench.loadgen import OHA, WRK, LoadGenerator
from restbench.measure.machine import cpu_model, machine_class
from restbench.system.cpus import this_machine
from restbench.system.repository import Repository, find_repository
from restbench.targets.cpu_time import cpu_counter_unavailable_reason, fair_sharing, how_counted
from restbench.targets.docker import DockerRuntime
from restbench.targets.interface import Runtime
from restbench.targets.native import NativeRuntime
from restbench.targets.remotes import PackageServer, remote_of
from restbench.targets.toolchains import describe, lacking_commands, tools_of

_ROOM = 2 * 2**30
"""Bytes that the environments and images of a board take."""


_MANIFEST = "manifest"


@dataclass(frozen=True)
class Finding:
    """One fact about the machine. `needed`: no run is possible without it. `remedy` is empty if nothing is wrong."""

    what: str
    says: str
    remedy: str = ""
    needed: bool = False


def doctor() -> int:
    """Prints the findings. Returns 3 if something needed is missing, 2 if a manifest is broken, else 0."""
    repository = find_repository()
    catalog = load_catalog(repository)
    findings = list(examine(repository, catalog))
    mistakes = [line for lines in catalog.mistakes.values() for line in lines]
    _print(findings, mistakes)
    if any(f.remedy and f.needed for f in findings):
        return MissingToolError.exit_code
    return CatalogError.exit_code if mistakes else 0


def _print(findings: list[Finding], mistakes: list[str]) -> None:
    console = Console()
    width = max(len(name) for name in [_MANIFEST, *(finding.what for finding in findings)])
    for finding in findings:
        mark = "[green]✓[/]" if not finding.remedy else "[red]✗[/]" if finding.needed else "[yellow]-[/]"
        remedy = f"; {finding.remedy}" if finding.remedy else ""
        says = escape(finding.says + remedy)
        console.print(f"{mark} {finding.what:{width}} {says}", highlight=False, soft_wrap=True)
    for mistake in mistakes:
        console.print(f"[red]✗[/] {_MANIFEST:{width}} {escape(mistake)}", highlight=False, soft_wrap=True)


def examine(repository: Repository, catalog: Catalog) -> Iterator[Finding]:
    """Yields a finding for each thing that a run depends on."""
    yield Finding(what="machine", says=f"{cpu_model()}, {machine_class()}")
    yield _cpus()
    yield _steal()
    yield from map(_load_generator, (WRK, OHA))
    yield _taskset()
    yield _docker()
    yield from _backend(catalog)
    yield _links(NativeRuntime(repository), "run as root, on a kernel with netem")
    yield _links(DockerRuntime(repository), "run as root or allow sudo without a password, on a kernel with netem")
    yield Finding(what="cgroups", says=_cgroups())
    yield from _cpu_time()
    yield _room(repository)
    yield from _package_servers(catalog)
    native = NativeRuntime(repository)
    for language in {entry.language.name: entry.language for entry in catalog.entries.values()}.values():
        for tool in tools_of(language):
            what = f"{language.manifest.title}: {tool.name}"
            yield Finding(what=what, says=tool.version or "not found", remedy=tool.remedy)
    for entry in catalog.entries.values():
        if lacking := native.unavailable_reason(entry):
            yield Finding(what=entry.id, says="cannot run natively", remedy=lacking)


def _load_generator(each: LoadGenerator) -> Finding:
    missing = each.unavailable_reason() is not None
    says, remedy = ("missing", each.remedy) if missing else (each.version() or "there", "")
    return Finding(what=each.name, says=says, remedy=remedy, needed=each is WRK)


def _taskset() -> Finding:
    if shutil.which("taskset"):
        return Finding(what="taskset", says="there")
    return Finding(what="taskset", says="missing", remedy="install it with: apt-get install util-linux", needed=True)


def _docker() -> Finding:
    if reason := docker_unavailable_reason():
        remedy = "start an engine to run apps in Docker; native runs need none"
        return Finding(what="Docker", says=reason, remedy=remedy)
    return Finding(what="Docker", says=f"engine {engine_version()}")


def _links(runtime: Runtime, remedy: str) -> Finding:
    """Reports whether netem can delay a link. Scenarios with a far link in the suite workload need netem."""
    what = f"delayed links ({runtime.name})"
    if reason := runtime.link_unavailable_reason():
        return Finding(what=what, says=reason, remedy=f"scenarios with a far link are not run; {remedy}")
    return Finding(what=what, says="netem works")


def _backend(catalog: Catalog) -> Iterator[Finding]:
    """Yields a finding for each program that the backend of a suite needs natively."""
    for suite in (suite for suite in catalog.suites.values() if suite.manifest.backend == SOLR):
        for program, command in {**PROGRAMS, **PACKERS}.items():
            lacks = describe(lacking_commands({program: command}))
            remedy = f"{lacks}; for the suite {suite.name}" if lacks else ""
            yield Finding(what=program, says="not found" if lacks else "there", remedy=remedy)


def _package_servers(catalog: Catalog) -> Iterator[Finding]:
    """Yields a finding for each server of packages for which a user can name another one."""
    entries: dict[PackageServer, list[str]] = {}
    for entry in catalog.entries.values():
        if server := remote_of(entry):
            entries.setdefault(server, []).append(entry.id)
    for server, names in entries.items():
        reason = server.unreachable_reason()
        remedy = f"{reason}; {', '.join(names)} cannot be built without it" if reason else ""
        yield Finding(what=server.title, says=server.address, remedy=remedy)


def _cpus() -> Finding:
    split = this_machine()
    if split.pinned:
        return Finding(what="CPUs", says=f"{len(os.sched_getaffinity(0))}; {split.describe()}")
    remedy = "rows get no rank without two physical cores: use a larger machine"
    return Finding(what="CPUs", says=split.describe(), remedy=remedy)


def _steal() -> Finding:
    """Reports the steal since boot: CPU time that the hypervisor gave to other machines."""
    times = psutil.cpu_times()
    share = times.steal / max(1e-9, sum(times))
    remedy = "a noisy host: expect rounds that do not count, and use --profile full" if share > 0.02 else ""
    return Finding(what="steal", says=f"{share:.1%} of the time since boot", remedy=remedy)


def _cgroups() -> str:
    return "v2" if Path("/sys/fs/cgroup/cgroup.controllers").is_file() else "v1"


def _cpu_time() -> Iterator[Finding]:
    """Reports how the CPU time of native apps is counted, and whether apps on the same CPUs get equal shares."""
    yield Finding(what="CPU time", says=how_counted(), remedy=cpu_counter_unavailable_reason() or "")
    unfair = fair_sharing()
    says = "not equal" if unfair else "equal, whatever two apps on one CPU do"
    yield Finding(what="CPU shares", says=says, remedy=unfair or "")


def _room(repository: Repository) -> Finding:
    free = shutil.disk_usage(repository.root).free
    remedy = "make room: environments and images take about 2 GB" if free < _ROOM else ""
    return Finding(what="disk", says=f"{free / 1e9:.1f} GB free", remedy=remedy)
