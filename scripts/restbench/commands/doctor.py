"""`restbench doctor`: reports what this machine has and lacks, and how to get what it lacks."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import fill

import psutil
from rich.console import Console
from rich.text import Text

from restbench.backends import SOLR
from restbench.backends.native import solr_tools
from restbench.catalog import Catalog, Command, Entry, load_catalog
from restbench.containers.engine import docker_unavailable_reason, elsewhere_reason, engine_version
from restbench.errors import CatalogError, MissingToolError
from restbench.loadgen import OHA, WRK, Load
from restbench.loadgen.wrk import open_files_for
from restbench.measure.machine import machine_class
from restbench.system.advice import command_line, option
from restbench.system.cpus import CpuSplit, this_machine
from restbench.system.hardware import cpu_model, governor, slow_governor
from restbench.system.limits import open_files, too_few_open_files
from restbench.system.quotas import REMEDY
from restbench.system.repository import Repository, find_repository
from restbench.system.versions import MISSING, Unusable, cannot_pin
from restbench.targets.cpu_time import cpu_counter_unavailable_reason, fair_sharing, how_counted
from restbench.targets.docker import DockerRuntime, PackageServer, remote_of
from restbench.targets.interface import Runtime
from restbench.targets.native import NativeRuntime
from restbench.targets.toolchains import PYTHON, Tool, commands, describe, lacks_of, tools_of, uv_tool

_ROOM = 2 * 2**30
"""Bytes that the environments and images of a board take."""

_NEEDED = ("wrk", "taskset")
"""The tools without which no run is possible."""

_MANIFEST = "manifest"

_UNLIMITED = 10_000
"""Columns of an output that is no terminal, which has a line for each tool."""


def doctor() -> int:
    """Prints what is here in groups. Returns 3 if something needed is missing, 2 if a manifest is broken, else 0."""
    repository = find_repository()
    catalog = load_catalog(repository)
    groups = examine(repository, catalog)
    mistakes = [line for lines in catalog.mistakes.values() for line in lines]
    groups["manifests"] = [Tool(_MANIFEST, line, otherwise="correct it") for line in mistakes]
    console = Console()
    for title, tools in groups.items():
        if tools:
            _print(console, title, tools)
    console.print(_wrapped(console, what_is_ready(catalog), indent=2), soft_wrap=True)
    if any(tool.wanted and tool.name in _NEEDED for tools in groups.values() for tool in tools):
        return MissingToolError.exit_code
    return CatalogError.exit_code if mistakes else 0


def _print(console: Console, title: str, tools: list[Tool]) -> None:
    console.print(Text(title, "bold"))
    width = max(len(tool.name) for tool in tools)
    for tool in tools:
        says = [tool.found or "missing"]
        says += [f"{tool.wanted} is needed"] if tool.wanted not in ("", tool.name) else []
        says += [tool.remedy] if tool.remedy else []
        broken = tool.name in (*_NEEDED, _MANIFEST)
        mark, colour = ("✓", "green") if not tool.remedy else ("✗", "red") if broken else ("-", "yellow")
        line = _wrapped(console, f"  {mark} {tool.name:{width}}  {'; '.join(says)}", indent=width + 6)
        line.stylize(colour, 2, 3)
        console.print(line, soft_wrap=True)


def _wrapped(console: Console, line: str, indent: int) -> Text:
    width = console.width if console.is_terminal else _UNLIMITED
    return Text(fill(line, width, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False))


def examine(repository: Repository, catalog: Catalog) -> dict[str, list[Tool]]:
    """Returns what a run depends on: of the machine, of suites with a backend, and of each language."""
    groups = {"this machine": list(_machine(repository, catalog))}
    for suite in catalog.suites.values():
        if suite.manifest.backend == SOLR:
            groups[f"the suite {suite.name}"] = summed_up("all", solr_tools(repository))
    of_languages: dict[str, list[Entry]] = {}
    for entry in catalog.entries.values():
        of_languages.setdefault(entry.language.manifest.title, []).append(entry)
    return groups | {title: list(_language(entries)) for title, entries in of_languages.items()}


def what_is_ready(catalog: Catalog) -> str:
    """Says in one line how many entries can run natively, and how many more after one command."""
    lacks = [lacks_of(entry) for entry in catalog.entries.values()]
    brought = [tools for tools in lacks if tools and all(tool.packages or tool.name == PYTHON for tool in tools)]
    ready, rest = lacks.count([]), len(lacks) - lacks.count([]) - len(brought)
    line = f"ready: {ready} of {len(lacks)} entries can run natively"
    line += f"; {len(brought)} more after: {command_line('prepare', 'all', target='native')}" if brought else ""
    return line + (f"; {rest} need what Debian and uv do not have" if rest else "")


def _language(entries: list[Entry]) -> Iterator[Tool]:
    """Yields the tools of a language, and what single entries of it lack beside them."""
    tools = tools_of(entries[0].language)
    yield from summed_up("all", tools)
    servers: dict[PackageServer, list[str]] = {}
    lacking: dict[tuple[Tool, ...], list[str]] = {}
    for entry in entries:
        if server := remote_of(entry):
            servers.setdefault(server, []).append(entry.name)
        lacking.setdefault(tuple(tool for tool in lacks_of(entry) if tool not in tools), []).append(entry.name)
    for server, names in servers.items():
        unreachable = server.unreachable_reason()
        remedy = f"{unreachable}; {', '.join(names)} cannot be built without it" if unreachable else ""
        yield Tool(server.title, server.address, otherwise=remedy)
    for lacks, names in lacking.items():
        yield from summed_up(", ".join(names), lacks)


def summed_up(names: str, tools: Sequence[Tool]) -> list[Tool]:
    """Returns tools with one in the place of all that are lacking: it has one command, and who is left out."""
    reason = describe(tools)
    return [tool for tool in tools if not tool.wanted] + ([Tool("left out", names, otherwise=reason)] if reason else [])


def _machine(repository: Repository, catalog: Catalog) -> Iterator[Tool]:
    split = this_machine()
    yield Tool("machine", f"{cpu_model()}, {machine_class(split)}")
    yield from cpus(split)
    # CPU time that the hypervisor gave to other machines
    times = psutil.cpu_times()
    share = times.steal / max(1e-9, sum(times))
    noisy = f"a noisy host: expect rounds that do not count, and use {option('profile', 'full')}"
    yield Tool("steal", f"{share:.1%} of the time since boot", otherwise=noisy if share > 0.02 else "")
    for each in (WRK, OHA):
        yield _out_of_order(found) if (found := each.unusable()) else Tool(each.name, each.version() or "there")
    taskset, git = commands({"taskset": Command(debian="util-linux"), "git": Command(debian="git")}, versions=True)
    unpinned = cannot_pin(split.app + split.load) if split.pinned else None
    yield _out_of_order(unpinned) if unpinned else taskset
    yield git
    yield uv_tool()
    most = max(scenario.connections or 0 for suite in catalog.suites.values() for scenario in suite.scenarios)
    low = too_few_open_files(open_files(), open_files_for(Load(0.0, most, 1, None)), f"a load of {most} connections")
    yield Tool("open files", f"{open_files():,} for each program", otherwise=low or "")
    if reason := docker_unavailable_reason():
        yield Tool("Docker", reason, otherwise="start an engine to run apps in Docker; native runs need none")
    else:
        yield Tool("Docker", f"engine {engine_version()}", otherwise=elsewhere_reason() or "")
    yield _links(NativeRuntime(repository), "run as root, on a kernel with netem")
    yield _links(DockerRuntime(repository), "run as root or allow sudo without a password, on a kernel with netem")
    yield Tool("cgroups", "v2" if Path("/sys/fs/cgroup/cgroup.controllers").is_file() else "v1")
    yield Tool("CPU time", how_counted(), otherwise=cpu_counter_unavailable_reason() or "")
    unfrozen = DockerRuntime(repository).freezing_unavailable_reason()
    where = "natively" if unfrozen else "natively and in Docker"
    yield Tool("freezing", f"apps that are not loaded are frozen {where}", otherwise=unfrozen or "")
    unfair = fair_sharing() or ""
    yield Tool("CPU shares", "not equal" if unfair else "equal, whatever two apps on one CPU do", otherwise=unfair)
    free = shutil.disk_usage(repository.root).free
    full = "make room: environments and images take about 2 GB" if free < _ROOM else ""
    yield Tool("disk", f"{free / 1e9:.1f} GB free", otherwise=full)


def _out_of_order(found: Unusable) -> Tool:
    return Tool(found.name, None if found.what == MISSING else found.what, found.name, otherwise=found.remedy)


def cpus(split: CpuSplit, root: Path = Path("/")) -> Iterator[Tool]:
    """Reports which CPUs the sides get, and what makes CPUs slower than they could be."""
    few = "rows get no rank without two physical cores: use a larger machine"
    here = f"{split.count}; " if split.pinned else ""
    yield Tool("CPUs", f"{here}{split.describe()}", otherwise="" if split.pinned else few)
    if split.left_out:
        yield Tool("other CPUs", split.left_out)
    if split.unlike:
        yield Tool("unlike CPUs", split.unlike, otherwise="figures depend on which of them the app gets")
    if quota := split.quota:
        few_cpus = f"only {split.count} of the CPUs can be used: figures are those of a smaller machine"
        too_small = f"less than one CPU would throttle every round, so no run is possible: {REMEDY}"
        yield Tool("CPU quota", str(quota), otherwise=too_small if quota.cpus < 1 else few_cpus if split.capped else "")
    if found := governor(split.used, root):
        yield Tool("governor", found, otherwise=slow_governor(split.used, root) or "")


def _links(runtime: Runtime, remedy: str) -> Tool:
    """Reports whether netem can delay a link. Scenarios with a far link in the suite workload need netem."""
    name = f"delayed links ({runtime.name})"
    if reason := runtime.link_unavailable_reason():
        return Tool(name, reason, otherwise=f"scenarios with a far link are not run; {remedy}")
    return Tool(name, "netem works")
