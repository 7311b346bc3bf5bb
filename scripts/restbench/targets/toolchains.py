"""Finds what entries need on this machine: commands on PATH, a Python that fits, and Debian packages."""

import re
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from packaging.specifiers import SpecifierSet
from packaging.version import Version

from restbench.catalog import Command, Entry, Language
from restbench.catalog.packages import locked_version
from restbench.system import debian
from restbench.system.processes import find_program
from restbench.targets import interpreters


@dataclass(frozen=True)
class Lack:
    """Something that is needed and that this machine does not have.

    `says`: one clause with the remedy. `packages`: the packages that apt-get has to install, as name or name=version;
    empty where apt-get cannot help. `what`: the name alone, where these packages are the only remedy. `python`: the
    versions that fit, where a Python is missing.
    """

    says: str
    packages: tuple[str, ...] = ()
    what: str | None = None
    python: SpecifierSet | None = None


@dataclass(frozen=True)
class Tool:
    """A part of a toolchain.

    `version`: None where the tool is missing, "there" where it does not tell its version. `remedy`: one line, empty
    where nothing is missing.
    """

    name: str
    version: str | None
    remedy: str


def describe(lacks: Iterable[Lack]) -> str:
    """Returns one line about all lacks. Commands and packages that apt-get alone can install share one clause."""
    lacks = list(lacks)
    plain = [lack for lack in lacks if lack.what and lack.packages]
    clauses = [lack.says for lack in lacks if lack not in plain]
    if plain:
        packages = dict.fromkeys(package for lack in plain for package in lack.packages)
        verb, it = ("is", "it") if len(plain) == 1 else ("are", "them")
        names = ", ".join(lack.what or "" for lack in plain)
        clauses.insert(0, f"{names} {verb} missing: install {it} with: apt-get install {' '.join(packages)}")
    return "; ".join(clauses)


def tools_unavailable_reason(entry: Entry) -> str | None:
    """Returns what this machine lacks for an entry, with the remedy, or None.

    Where apt-get cannot install everything, only the rest is named: the packages alone would not make the entry run.
    """
    lacks = lacks_of(entry)
    return describe([lack for lack in lacks if not lack.packages] or lacks) or None


def lacks_of(entry: Entry) -> list[Lack]:
    """Returns everything that this machine lacks to build and run an entry natively."""
    toolchain = entry.language.manifest.toolchain
    commands = {**toolchain.commands, **entry.manifest.commands}
    return [*lacking_commands(commands), *_lacking_python(entry), *_lacking_packages(entry)]


def tools_of(language: Language) -> list[Tool]:
    """Returns the tools that build and run the language's entries natively, each with its version or its remedy."""
    toolchain = language.manifest.toolchain
    tools: list[Tool] = []
    for name, command in toolchain.commands.items():
        path = find_program(name)
        lacking = describe(lacking_commands({name: command}))
        tools.append(Tool(name, str(_version_of(path, command.version) or "there") if path else None, lacking))
    for name, tool in toolchain.locked.items():
        package = f"{language.manifest.registry}:{tool.package}"
        version = locked_version(language.folder, language.folder / tool.lock, package)
        tools.append(Tool(name, version, "" if version else f"{tool.lock} has no version of {package}: lock it"))
    if toolchain.python is not None:
        allowed = SpecifierSet(toolchain.python)
        found = interpreters.choose(allowed)
        remedy = describe(_no_python(allowed, found)) or (interpreters.slow_reason(found) if found else None) or ""
        tools.append(Tool("python", str(found.version) if found else None, remedy))
    here = debian.installed() if toolchain.packages else {}
    for package in toolchain.packages:
        lacking = "" if package in here else describe([_no_package(package, package)])
        tools.append(Tool(package, here.get(package), lacking))
    return tools


def lacking_commands(commands: dict[str, Command]) -> Iterator[Lack]:
    """Yields the commands that are missing or too old."""
    for name, command in commands.items():
        path = find_program(name)
        wanted = f"{name} {command.at_least} or newer" if command.at_least else name
        if path is None:
            yield _lacking_command(f"{wanted} is missing", wanted, command)
        elif command.at_least and (here := _version_of(path, command.version)) and here < Version(command.at_least):
            yield _lacking_command(f"{name} is {here}, and {command.at_least} or newer is needed", None, command)


def _lacking_command(says: str, what: str | None, command: Command) -> Lack:
    packages = _packages_of(command)
    ways = [f"with: apt-get install {' '.join(packages)}"] if packages else []
    ways += [command.otherwise] if command.otherwise else []
    ways = ways or [f"from elsewhere, as apt-get has no {command.debian} that is new enough"]
    return Lack(f"{says}: install it {', or '.join(ways)}", packages, None if command.otherwise else what)


def _packages_of(command: Command) -> tuple[str, ...]:
    """Returns the Debian packages that bring the command, none where apt-get has only versions that are too old."""
    packages = tuple((command.debian or "").split())
    offered = debian.versions(packages[0]) if packages and command.at_least else []
    newest = re.match(r"(?:\d+:)?(\d+(?:\.\d+)*)", offered[0]) if offered else None
    too_old = newest is not None and Version(newest[1]) < Version(command.at_least or "0")
    return () if too_old else packages


@cache
def _version_of(program: str, argument: str) -> Version | None:
    """Runs a program and returns the first version in its output, None where there is none."""
    try:
        ran = subprocess.run([program, argument], capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    # a number with a point is preferred, as one without may be no version, such as the code of a colour
    match = re.search(r"\d+(?:\.\d+)+", ran.stdout) or re.search(r"\d+", ran.stdout)
    return Version(match[0]) if match else None


def python_versions_allowed(entry: Entry) -> SpecifierSet:
    """Returns the versions of Python that both the language and the entry allow."""
    return SpecifierSet(entry.language.manifest.toolchain.python or "") & SpecifierSet(entry.manifest.python or "")


def forget() -> None:
    """Forgets what was found on this machine, because it may have changed."""
    _version_of.cache_clear()
    interpreters.forget()
    debian.forget()


def _lacking_python(entry: Entry) -> Iterator[Lack]:
    if entry.language.manifest.toolchain.python is None:
        return
    allowed = python_versions_allowed(entry)
    yield from _no_python(allowed, interpreters.choose(allowed))


def _no_python(allowed: SpecifierSet, found: object) -> Iterator[Lack]:
    if found is None:
        says = f"no Python {allowed} is on PATH, in pyenv or in uv: install one, for example with: uv python install"
        yield Lack(says, python=allowed)


def _lacking_packages(entry: Entry) -> Iterator[Lack]:
    """Yields the Debian packages that are missing, or that are not here in the locked version."""
    toolchain = entry.language.manifest.toolchain
    wanted = dict.fromkeys(toolchain.packages, "")
    lock = entry.lock()
    if lock and entry.language.manifest.registry == debian.REGISTRY:
        wanted |= entry.locked_versions()
    if not wanted:
        return
    here, release, file = debian.installed(), debian.codename(), lock.name if lock else ""
    locked = {name for name, version in wanted.items() if version and not debian.fits(here.get(name), version)}
    if locked and lock == entry.lock("docker") and toolchain.release not in (None, release):
        yield Lack(
            f"{file} has the versions of Debian {toolchain.release}, and this machine is "
            f"{release or 'no Debian'}: use Debian {toolchain.release}, or --target docker"
        )
        return
    for name, version in sorted(wanted.items()):
        package = f"{name}={version}" if version else name
        if name not in here and debian.versions(name) and not debian.is_offered(package):
            newest = debian.versions(name)[0]
            yield Lack(f"{name} is {newest} in apt-get's lists, and {version} is locked: lock anew in {file}")
        elif name not in here:
            yield _no_package(name, package)
        elif name in locked:
            says = f"{name} is {here[name]} here, and {version} is locked: install that, or lock anew in {file}"
            yield Lack(says, (package,))


def _no_package(name: str, package: str) -> Lack:
    return Lack(f"{name} is missing: install it with: apt-get install {package}", (package,), name)
