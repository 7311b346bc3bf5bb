"""`restbench prepare`: installs what entries and suites need and this machine lacks, if this user may install it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

import typer
from uv import find_uv_bin

from restbench.backends import SOLR
from restbench.backends.native import lacks_of_solr
from restbench.catalog import Catalog, Command, Entry, load_catalog
from restbench.catalog.select import select_entries, select_suites
from restbench.commands.options import Frameworks, Suites, TargetName
from restbench.containers.engine import docker_unavailable_reason
from restbench.system import debian
from restbench.system.repository import Repository, find_repository
from restbench.targets.choose import images_help
from restbench.targets.toolchains import Lack, forget, lacking_commands, lacks_of

_LOAD = {"wrk": Command(debian="wrk")}
"""The load generator without which nothing is measured. oha is in no Debian package."""
_LINKS = {"tc": Command(debian="iproute2")}
"""The tool that delays a link. Only root may delay one."""

_PYTHON_SECONDS = 300


@dataclass(frozen=True)
class Need:
    """The tools that `who` lacks on this machine. `who` is an entry, a suite, all load, or delayed links."""

    who: str
    lacks: list[Lack]

    @property
    def packages(self) -> list[str]:
        """The Debian packages that have all of the tools. Empty if one of the tools is in no Debian package."""
        brought = [lack.packages for lack in self.lacks]
        return [package for packages in brought for package in packages] if all(brought) else []


@dataclass(frozen=True)
class Work:
    """The entries and suites that are to be measured or verified."""

    repository: Repository
    catalog: Catalog
    entries: list[Entry]
    suites: list[str]
    target: str

    def needs(self) -> list[Need]:
        """Returns all needs that lack a tool, for the target that the run will have."""
        cells = [(entry, cell) for entry in self.entries for cell in entry.cells(self.suites)]
        found = [Need("all load", list(lacking_commands(_LOAD)))]
        if os.geteuid() == 0 and any(entry.scenario(cell).link_delay_ms for entry, cell in cells):
            found.append(Need("delayed links", list(lacking_commands(_LINKS))))
        of_entries = self.of_entries()
        if not self._in_docker(of_entries):
            found += of_entries
            suites = {cell.suite: entry.suites[cell.suite].manifest.backend for entry, cell in cells}
            for suite, backend in suites.items():
                if backend == SOLR:  # of an unknown one the run says why its cells are not run
                    found.append(Need(f"the suite {suite}", lacks_of_solr(self.repository)))
        return [need for need in found if need.lacks]

    def of_entries(self) -> list[Need]:
        """Returns what the entries, the baselines of their languages and the reference lack to run natively."""
        baselines = [self.catalog.baseline_of(entry) for entry in self.entries]
        entries = {entry.id: entry for entry in [self.catalog.reference, *baselines, *self.entries] if entry}
        return [Need(name, lacks_of(entry)) for name, entry in entries.items()]

    def _in_docker(self, of_entries: list[Need]) -> bool:
        if self.target != "auto":
            return self.target == "docker"
        lacking = [self.catalog.entries[need.who] for need in of_entries if need.lacks and not need.packages]
        return images_help(lacking) and docker_unavailable_reason() is None


def prepare(
    frameworks: Frameworks = None,
    suites: Suites = None,
    target: TargetName = "auto",
    install: Annotated[
        bool, typer.Option("--install/--no-install", help="--no-install: only print what is missing, and how to get it")
    ] = True,
) -> None:
    """Prints and installs what is missing. Without `install`, only prints what is missing and how to get it.

    It is no failure if something could not be installed, because a run goes on without it.
    """
    repository = find_repository()
    catalog = load_catalog(repository)
    entries = select_entries(catalog, frameworks or [])
    work = Work(repository, catalog, entries, select_suites(catalog, suites or []), target)
    if target != "docker":
        _bring_pythons(work.of_entries(), install)
    _bring_packages(work, install)


def _bring_pythons(needs: list[Need], install: bool) -> None:
    """Installs Python versions with uv, which has builds of its own. Without `install`, prints how to do so."""
    wanted: dict[str, list[str]] = {}
    for need in needs:
        for lack in need.lacks:
            if lack.python is not None:
                wanted.setdefault(str(lack.python), []).append(need.who)
    for versions, who in wanted.items():
        if not install:
            _say(f"missing: Python {versions} for {', '.join(who)}: install it with: uv python install '{versions}'")
            continue
        _say(f"installing Python {versions} with uv, for {', '.join(who)}")
        if error := _uv_error(["python", "install", versions]):
            _say(f"  uv failed: {error}")
    forget()


def _uv_error(arguments: list[str]) -> str | None:
    """Runs uv. Returns the last cause that it names if it fails, else None."""
    argv = [find_uv_bin(), *arguments]
    try:
        ran = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=_PYTHON_SECONDS)
    except subprocess.TimeoutExpired:
        return f"it takes more than {_PYTHON_SECONDS} s"
    causes = ran.stderr.strip().splitlines() or [f"code {ran.returncode}"]
    return causes[-1].strip().removeprefix("cause: ") if ran.returncode else None


def _bring_packages(work: Work, install: bool) -> None:
    """Installs Debian packages with apt-get.

    Without `install`, or if this user may not install packages, only prints how to do so.
    """
    needs = work.needs()
    if not _packages(needs):
        return
    if shutil.which("apt-get") is None:
        _say("this machine has no apt-get; the names of the missing packages in Debian:", *_lines(needs))
        return
    root = debian.administrator() if install else None
    if root is not None and not all(map(debian.is_offered, _packages(needs))):
        debian.update(root)
        needs = work.needs()
    if debian.lists_are_here():
        needs = [need for need in needs if all(map(debian.is_offered, need.packages))]
    packages = _packages(needs)
    if not packages:
        return
    command = f"apt-get install {' '.join(packages)}"
    if not install:
        _say("missing Debian packages, which --no-install does not install:")
        _say(*_lines(needs), f"install them with: {command}")
        return
    if root is None:
        _say("missing Debian packages; installing them takes root, or sudo without a password:")
        _say(*_lines(needs), f"install it with: {command}")
        return
    _say("installing Debian packages:", *_lines(needs))
    error = debian.install(root, packages)
    if error:  # package lists that are out of date name files that no longer exist
        debian.update(root)
        error = debian.install(root, packages)
    if error:
        _say(f"apt-get failed: {error}", f"try it with: apt-get update && {command}")


def _packages(needs: Iterable[Need]) -> list[str]:
    wanted = dict.fromkeys(package for need in needs for package in need.packages)
    locked = {debian.name_of(package) for package in wanted if "=" in package}
    return [package for package in wanted if package not in locked]


def _lines(needs: list[Need]) -> list[str]:
    """Returns one line for all packages that the same entries or suites need."""
    users: dict[str, list[str]] = {}
    for need in needs:
        for package in dict.fromkeys(need.packages):
            users.setdefault(package, []).append(need.who)
    groups: dict[str, list[str]] = {}
    for package, who in users.items():
        groups.setdefault(", ".join(who), []).append(package)
    return [f"  {' '.join(packages)}  for {who}" for who, packages in groups.items()]


def _say(*lines: str) -> None:
    print(*lines, sep="\n", file=sys.stderr)
