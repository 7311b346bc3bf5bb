"""`restbench doctor`: what this machine has and lacks, and how to get it."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import psutil
from pydantic import BaseModel
from rich.console import Console
from rich.markup import escape

from restbench.backends.native import PACKERS, PROGRAMS
from restbench.catalog import Catalog, load_catalog
from restbench.containers.engine import engine_trouble, engine_version
from restbench.errors import CatalogError, MissingToolError
from restbench.loadgen import Oha, Wrk
from restbench.measure.machine import cpu_model, machine_class
from restbench.system.cpus import this_machine
from restbench.system.repository import Repository, find_repository
from restbench.targets.cpu_time import cpu_counter_trouble, fair_sharing, how_counted
from restbench.targets.links import delay_trouble
from restbench.targets.native import NativeRuntime
from restbench.targets.toolchains import describe, lacking_commands, tools_of

_ROOM = 2 * 2**30
"""Bytes that environments and images of a board take."""


class Finding(BaseModel):
    """One thing about the machine. `needed`: nothing goes without it. `remedy` is empty where all is well."""

    what: str
    says: str
    remedy: str = ""
    needed: bool = False


class Diagnosis(BaseModel):
    """What `doctor --json` prints. `mistakes`: lines of broken manifests, whose entries are not looked at."""

    findings: list[Finding]
    mistakes: list[str]


def doctor(as_json: bool = False) -> int:
    """Prints the findings. Returns 3 where something needed is missing, else 2 where a manifest is broken."""
    repository = find_repository()
    catalog = load_catalog(repository)
    findings = list(examine(repository, catalog))
    mistakes = [line for lines in catalog.mistakes.values() for line in lines]
    if as_json:
        print(Diagnosis(findings=findings, mistakes=mistakes).model_dump_json(indent=1))
    else:
        _print(findings, mistakes)
    if any(f.remedy and f.needed for f in findings):
        return MissingToolError.exit_code
    return CatalogError.exit_code if mistakes else 0


def _print(findings: list[Finding], mistakes: list[str]) -> None:
    console = Console()
    for finding in findings:
        mark = "[green]✓[/]" if not finding.remedy else "[red]✗[/]" if finding.needed else "[yellow]-[/]"
        remedy = f"; {finding.remedy}" if finding.remedy else ""
        console.print(f"{mark} {finding.what:16}{escape(finding.says + remedy)}", highlight=False, soft_wrap=True)
    for mistake in mistakes:
        console.print(f"[red]✗[/] {'manifest':16}{escape(mistake)}", highlight=False, soft_wrap=True)


def examine(repository: Repository, catalog: Catalog) -> Iterator[Finding]:
    """Everything that a run depends on."""
    yield Finding(what="machine", says=f"{cpu_model()}, {machine_class()}")
    yield _cpus()
    yield _steal()
    yield _tool("wrk", Wrk().version(), Wrk().missing(), needed=True)
    yield _tool("oha", Oha().version(), Oha().missing(), needed=False)
    yield _taskset()
    yield _docker()
    yield from _solr()
    yield _links()
    yield Finding(what="cgroups", says=_cgroups())
    yield from _cpu_time()
    yield _room(repository)
    native = NativeRuntime(repository)
    for language in {entry.language.name: entry.language for entry in catalog.entries.values()}.values():
        for tool in tools_of(language):
            what = f"{language.manifest.title}: {tool.name}"
            yield Finding(what=what, says=tool.version or "not found", remedy=tool.remedy)
    for entry in catalog.entries.values():
        if lacking := native.lacks(entry):
            yield Finding(what=entry.id, says="cannot run natively", remedy=lacking)


def _tool(name: str, version: str | None, missing: str | None, *, needed: bool) -> Finding:
    """`missing` says that it is missing, and how to get it: "oha is missing, run make tools"."""
    remedy = missing.removeprefix(f"{name} is missing").lstrip(":, ") if missing else ""
    return Finding(what=name, says="missing" if missing else version or "there", remedy=remedy, needed=needed)


def _taskset() -> Finding:
    if shutil.which("taskset"):
        return Finding(what="taskset", says="there")
    return Finding(what="taskset", says="missing", remedy="install it with: apt-get install util-linux", needed=True)


def _docker() -> Finding:
    if trouble := engine_trouble():
        remedy = "start an engine to run apps in Docker; native runs need none"
        return Finding(what="Docker", says=trouble, remedy=remedy)
    return Finding(what="Docker", says=f"engine {engine_version()}")


def _links() -> Finding:
    """Whether netem delays the link between clients and app, which some scenarios of the suite workload need."""
    if trouble := delay_trouble():
        remedy = "scenarios with clients far away are not run; run as root, on a kernel with netem"
        return Finding(what="delayed links", says=trouble, remedy=remedy)
    return Finding(what="delayed links", says="netem works")


def _solr() -> Iterator[Finding]:
    """What the suite solr needs natively."""
    for program, command in {**PROGRAMS, **PACKERS}.items():
        lacks = describe(lacking_commands({program: command}))
        remedy = f"{lacks}; for the suite solr" if lacks else ""
        yield Finding(what=program, says="not found" if lacks else "there", remedy=remedy)


def _cpus() -> Finding:
    split = this_machine()
    if split.pinned:
        return Finding(what="CPUs", says=f"{len(os.sched_getaffinity(0))}; {split.describe()}")
    remedy = "nothing ranks without two physical cores: use a larger machine"
    return Finding(what="CPUs", says=split.describe(), remedy=remedy)


def _steal() -> Finding:
    """Steal since boot: what the hypervisor gave to others."""
    times = psutil.cpu_times()
    share = times.steal / max(1e-9, sum(times))
    remedy = "a noisy host: expect rounds that do not count, and take --profile full" if share > 0.02 else ""
    return Finding(what="steal", says=f"{share:.1%} of the time since boot", remedy=remedy)


def _cgroups() -> str:
    return "v2" if Path("/sys/fs/cgroup/cgroup.controllers").is_file() else "v1"


def _cpu_time() -> Iterator[Finding]:
    """How the CPU time of native apps is counted and shared."""
    yield Finding(what="CPU time", says=how_counted(), remedy=cpu_counter_trouble() or "")
    unfair = fair_sharing()
    says = "not equal" if unfair else "equal, whatever two apps on one CPU do"
    yield Finding(what="CPU shares", says=says, remedy=unfair or "")


def _room(repository: Repository) -> Finding:
    free = shutil.disk_usage(repository.root).free
    remedy = "make room: environments and images take about 2 GB" if free < _ROOM else ""
    return Finding(what="disk", says=f"{free / 1e9:.1f} GB free", remedy=remedy)
