"""`restbench prepare`: installs what entries and suites need and this machine lacks, if this user may install it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from math import ceil
from typing import Annotated

import typer
from uv import find_uv_bin

from restbench.backends import SOLR
from restbench.backends.native import PACK_MB, PACKERS, solr_tools
from restbench.catalog import Catalog, Command, Entry
from restbench.catalog.load import load_with_folders
from restbench.catalog.profiles import DEFAULT
from restbench.catalog.select import select_both
from restbench.commands.options import Frameworks, ProfileName, Suites, TargetName
from restbench.containers.engine import docker_unavailable_reason, elsewhere_reason
from restbench.errors import MissingToolError
from restbench.loadgen import OHA
from restbench.system import debian
from restbench.system.processes import user_environment
from restbench.system.repository import Repository, find_repository
from restbench.targets import images_help
from restbench.targets.toolchains import PYTHON, Tool, commands, forget, lacking, lacks_of

_LOAD = {"wrk": Command(debian="wrk")}
"""The load generator without which nothing is measured. oha is in no Debian package: scripts/install-oha brings it."""
_LINKS = {"tc": Command(debian="iproute2")}
"""The tool that delays a link. Only root may delay one."""

_SUITE = "the suite "

_PYTHON_SECONDS = 300
_DOWNLOADED, _UNPACKED = 5e6, 10e6
"""Bytes in a second, about: of archives, and of files that dpkg installs."""

Needs = dict[str, list[Tool]]
"""An entry, a suite, all load or delayed links → the tools that it needs and this machine lacks."""

Packages = dict[str, list[str]]
"""The same → the Debian packages that bring these tools."""

Plan = debian.Installation | str
"""What apt-get would install, or its errors."""


def prepare(
    frameworks: Frameworks = None,
    suites: Suites = None,
    target: TargetName = "auto",
    install: Annotated[
        bool, typer.Option("--install/--no-install", help="--no-install: only print what is missing, and how to get it")
    ] = True,
    profile: ProfileName = DEFAULT,
) -> None:
    """Prints and installs what is missing. Without `install`, only prints what is missing and how to get it.

    It is no failure if something could not be installed, because a run goes on without it. `profile` is only checked:
    a request that a run would refuse is refused before anything is installed. Raises MissingToolError where Docker is
    asked for and its containers cannot be measured from here.
    """
    repository = find_repository()
    catalog, names = load_with_folders(repository, frameworks or [])
    entries, chosen = select_both(catalog, names, suites or [])
    if target == "docker" and not docker_unavailable_reason() and (elsewhere := elsewhere_reason()):
        raise MissingToolError(elsewhere)
    if target != "docker":
        _bring_pythons(needs_of_entries(catalog, entries), install)
    if install:
        _bring_oha(repository)
    needs = _needs(repository, catalog, entries, chosen, target)
    _bring_packages({who: by_apt for who, tools in needs.items() if (by_apt := packages_of(tools))}, chosen, install)


def needs_of_entries(catalog: Catalog, entries: list[Entry]) -> Needs:
    """Returns what the entries, the baselines of their languages and the reference lack to run natively."""
    baselines = [catalog.baseline_of(entry) for entry in entries]
    wanted = {entry.id: entry for entry in [catalog.reference, *baselines, *entries] if entry}
    return {name: lacks for name, entry in wanted.items() if (lacks := lacks_of(entry))}


def packages_of(tools: Iterable[Tool]) -> list[str]:
    """Returns the Debian packages that have all of the tools. Empty if one of the tools is in no Debian package."""
    brought = [tool.packages for tool in tools]
    return [package for packages in brought for package in packages] if all(brought) else []


def _needs(repository: Repository, catalog: Catalog, entries: list[Entry], suites: list[str], target: str) -> Needs:
    """Returns all that is lacking, for the target that the run will have."""
    cells = [(entry, cell) for entry in entries for cell in entry.cells(suites)]
    needs = {"all load": lacking(commands(_LOAD))}
    if os.geteuid() == 0 and any(entry.scenario(cell).link_delay_ms for entry, cell in cells):
        needs["delayed links"] = lacking(commands(_LINKS))
    of_entries = needs_of_entries(catalog, entries)
    out_of_reach = [catalog.entries[name] for name, tools in of_entries.items() if not packages_of(tools)]
    in_docker = target == "docker"
    if target == "auto":
        in_docker = images_help(out_of_reach) and not (docker_unavailable_reason() or elsewhere_reason())
    if not in_docker:
        needs |= of_entries
        for suite, backend in {cell.suite: entry.suites[cell.suite].manifest.backend for entry, cell in cells}.items():
            if backend == SOLR:  # of an unknown one the run says why its cells are not run
                needs[_SUITE + suite] = lacking(solr_tools(repository))
    return needs


def _bring_pythons(needs: Needs, install: bool) -> None:
    """Installs Python versions with uv, which has builds of its own. Without `install`, prints how to do so."""
    wanted: dict[Tool, list[str]] = {}
    for who, tools in needs.items():
        for tool in tools:
            if tool.name == PYTHON:
                wanted.setdefault(tool, []).append(who)
    for tool, names in wanted.items():
        if not install:
            _say(f"missing: {tool.wanted} for {', '.join(names)}: {tool.remedy}")
            continue
        _say(f"installing {tool.wanted} with uv, for {', '.join(names)}")
        argv = [find_uv_bin(), "python", "install", tool.wanted.removeprefix(PYTHON).strip()]
        try:
            ran = subprocess.run(
                argv,
                env=user_environment(),
                capture_output=True,
                encoding="utf-8",
                check=False,
                timeout=_PYTHON_SECONDS,
            )
        except subprocess.TimeoutExpired:
            _say(f"  uv failed: it takes more than {_PYTHON_SECONDS} s")
        else:
            *_, cause = [f"code {ran.returncode}", *ran.stderr.strip().splitlines()]
            if ran.returncode:
                _say(f"  uv failed: {cause.strip().removeprefix('cause: ')}")
        forget()


def _bring_oha(repository: Repository) -> None:
    """Downloads oha if its program is pinned for this machine. It is not built here, as that takes minutes."""
    script = repository.root / "scripts" / "install-oha"
    if OHA.unavailable_reason() and script.exists():
        subprocess.run([sys.executable, str(script), "--no-build"], stdout=sys.stderr, check=False)


def _bring_packages(needs: Packages, suites: list[str], install: bool) -> None:
    """Installs Debian packages with apt-get, and says before how large they are.

    Without `install`, or if this user may not install packages, only prints how to do so.
    """
    if not needs:
        return
    root = debian.administrator() if install else None
    if shutil.which("apt-get") is None:
        _say("this machine has no apt-get; the names of the missing packages in Debian:", *_lines(needs))
        return
    whole = debian.planned(_together(needs))
    if root is None:
        command = f"apt-get install {' '.join(_together(needs))}"
        _say_plan("missing", whole, needs, suites)
        _say(f"install them as root with: {command}")
        return
    if isinstance(whole, str):
        # the lists of apt-get were out of date, or have not all packages
        _say("updating the lists of apt-get")
        debian.update(root)
        plans = {each: debian.planned(each) for each in dict.fromkeys(map(tuple, needs.values()))}
        for error in plans.values():
            if isinstance(error, str):
                _say(f"  left out: {error}")
        needs = {who: packages for who, packages in needs.items() if not isinstance(plans[tuple(packages)], str)}
        if not needs:
            return
        whole = debian.planned(_together(needs))
    _say_plan("installing", whole, needs, suites)
    packages = _together(needs)
    if debian.install(root, packages) is None:
        return
    debian.update(root)  # the servers may no longer have what old lists name
    if failed := debian.install(root, packages):
        _say(f"apt-get failed: {failed}", f"try it with: apt-get update && apt-get install {' '.join(packages)}")


def _say_plan(what: str, whole: Plan, needs: Packages, suites: list[str]) -> None:
    """Prints all packages, who needs them, how large they are, and which suites do without most of them."""
    _say(f"{what} Debian packages:", *_lines(needs))
    if isinstance(whole, str) or not whole.disk:
        _say("  how large they are is not known: apt-get's lists do not tell it yet")
        return
    minutes = ceil((whole.download / _DOWNLOADED + whole.disk / _UNPACKED) / 60)
    took = f"about {minutes} minutes" if minutes > 1 else "about a minute"
    _say(f"  {whole.packages} packages with what they need: {_size(whole)}, {took}")
    free = shutil.disk_usage("/usr").free
    if free < whole.download + whole.disk:
        _say(f"  /usr has {_mb(free)} MB free, which may be too few: make room")
    if PACKERS["mvn"].debian in _together(needs):
        _say(f"  Solr itself is fetched when it first starts: about {PACK_MB} MB more")
    of_suites = [who for who in needs if who.startswith(_SUITE)]
    rest = debian.planned(_together({who: packages for who, packages in needs.items() if who not in of_suites}))
    others = [suite for suite in suites if _SUITE + suite not in of_suites]
    if others and not isinstance(rest, str) and 2 * rest.disk < whole.disk:
        _say(f'  most of it is for {", ".join(of_suites)}: with SUITES="{" ".join(others)}" it is {_size(rest)}')


def _size(plan: debian.Installation) -> str:
    return f"{_mb(plan.download)} MB to download and {_mb(plan.disk)} MB on the disk"


def _mb(size: int) -> int:
    return ceil(size / 1e6)


def _together(needs: Packages) -> list[str]:
    """Returns all packages, each once. One that is wanted in a locked version is wanted in no other."""
    wanted = dict.fromkeys(package for packages in needs.values() for package in packages)
    locked = {package.partition("=")[0] for package in wanted if "=" in package}
    return [package for package in wanted if package not in locked]


def _lines(needs: Packages) -> list[str]:
    """Returns one line for all packages that the same entries or suites need."""
    users: dict[str, list[str]] = {}
    for who, packages in needs.items():
        for package in dict.fromkeys(packages):
            users.setdefault(package, []).append(who)
    groups: dict[str, list[str]] = {}
    for package, names in users.items():
        groups.setdefault(", ".join(names), []).append(package)
    return [f"  {' '.join(packages)}  for {names}" for names, packages in groups.items()]


def _say(*lines: str) -> None:
    print(*lines, sep="\n", file=sys.stderr)
