"""`restbench prepare`: what entries and suites need and this machine lacks, installed where this user may."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass

from uv import find_uv_bin

from restbench.backends.native import lacks_of_solr
from restbench.catalog import Catalog, Command, Entry, load_catalog
from restbench.catalog.select import DEFAULT, select_entries, select_suites
from restbench.containers.engine import engine_trouble
from restbench.system import debian
from restbench.system.repository import Repository, find_repository
from restbench.targets.choose import images_help
from restbench.targets.toolchains import Lack, forget, lacking_commands, lacks_of

_LOAD = {"wrk": Command(debian="wrk")}
_LINKS = {"tc": Command(debian="iproute2")}
"""What a link is delayed with, which only root may do."""

_PYTHON_SECONDS = 300


@dataclass(frozen=True)
class Need:
    """Who lacks something here: an entry, a suite, or all load."""

    who: str
    lacks: list[Lack]

    @property
    def packages(self) -> list[str]:
        """The Debian packages that bring all of it; none where something is lacking that they do not bring."""
        brought = [lack.packages for lack in self.lacks]
        return [package for packages in brought for package in packages] if all(brought) else []


@dataclass(frozen=True)
class Work:
    """What is to be measured or verified."""

    repository: Repository
    catalog: Catalog
    entries: list[Entry]
    suites: list[str]
    target: str

    def needs(self) -> list[Need]:
        """Everything that lacks something, by the target that the run will have."""
        cells = [(entry, cell) for entry in self.entries for cell in entry.cells(self.suites)]
        found = [Need("all load", list(lacking_commands(_LOAD)))]
        if os.geteuid() == 0 and any(entry.scenario(cell).link_delay_ms for entry, cell in cells):
            found.append(Need("delayed links", list(lacking_commands(_LINKS))))
        of_entries = self.of_entries()
        if not self._in_docker(of_entries):
            found += of_entries
            if any(entry.needs_backend(cell) for entry, cell in cells):
                found.append(Need("the suite solr", lacks_of_solr(self.repository)))
        return [need for need in found if need.lacks]

    def of_entries(self) -> list[Need]:
        """What the entries, their languages' baselines and the reference lack to run natively."""
        baselines = [self.catalog.baseline_of(entry) for entry in self.entries]
        entries = {entry.id: entry for entry in [self.catalog.reference, *baselines, *self.entries] if entry}
        return [Need(name, lacks_of(entry)) for name, entry in entries.items()]

    def _in_docker(self, of_entries: list[Need]) -> bool:
        if self.target != "auto":
            return self.target == "docker"
        lacking = [self.catalog.entries[need.who] for need in of_entries if need.lacks and not need.packages]
        return images_help(lacking) and engine_trouble() is None


def prepare(frameworks: list[str], suites: list[str], target: str, install: bool = True) -> int:
    """Installs what is lacking, having said what; without `install` only says what, and how to get it.

    Returns 0 whatever could not be had: the run does without.
    """
    repository = find_repository()
    catalog = load_catalog(repository)
    entries = select_entries(catalog, frameworks or list(DEFAULT))
    work = Work(repository, catalog, entries, select_suites(catalog, suites), target)
    if target != "docker":
        _bring_pythons(work.of_entries(), install)
    _bring_packages(work, install)
    return 0


def _bring_pythons(needs: list[Need], install: bool) -> None:
    """By uv, which has builds of its own."""
    wanted: dict[str, list[str]] = {}
    for need in needs:
        for lack in need.lacks:
            if lack.python is not None:
                wanted.setdefault(str(lack.python), []).append(need.who)
    for versions, who in wanted.items():
        if not install:
            _say(f"missing: Python {versions} for {', '.join(who)}: install it with: uv python install '{versions}'")
            continue
        _say(f"installing Python {versions} by uv, for {', '.join(who)}")
        if trouble := _uv_trouble(["python", "install", versions]):
            _say(f"  uv cannot: {trouble}")
    forget()


def _uv_trouble(words: list[str]) -> str | None:
    """Runs uv. Returns the cause that it names last where it fails, else None."""
    argv = [find_uv_bin(), *words]
    try:
        ran = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=_PYTHON_SECONDS)
    except subprocess.TimeoutExpired:
        return f"it takes more than {_PYTHON_SECONDS} s"
    causes = ran.stderr.strip().splitlines() or [f"code {ran.returncode}"]
    return causes[-1].strip().removeprefix("cause: ") if ran.returncode else None


def _bring_packages(work: Work, install: bool) -> None:
    """By apt-get, where this user may and wants it; else it is said how."""
    needs = work.needs()
    if not _packages(needs):
        return
    if shutil.which("apt-get") is None:
        _say("missing here, by the names of Debian's packages, as this machine has no apt-get:", *_lines(needs))
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
        _say("missing Debian packages, which --no-install leaves to you:")
        _say(*_lines(needs), f"install them with: {command}")
        return
    if root is None:
        _say("missing, and this user may not install it, which takes root, or sudo without a password:")
        _say(*_lines(needs), f"install it with: {command}")
        return
    _say("installing Debian packages:", *_lines(needs))
    trouble = debian.install(root, packages)
    if trouble:  # lists that are out of date name files that are gone
        debian.update(root)
        trouble = debian.install(root, packages)
    if trouble:
        _say(f"apt-get cannot: {trouble}", f"try it with: apt-get update && {command}")


def _packages(needs: Iterable[Need]) -> list[str]:
    return list(dict.fromkeys(package for need in needs for package in need.packages))


def _lines(needs: list[Need]) -> list[str]:
    """One line for what the same have need of."""
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
