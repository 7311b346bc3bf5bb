"""Finds what entries need on this machine: commands on PATH, a Python or a JDK that fits, and Debian packages."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from packaging.specifiers import SpecifierSet
from packaging.version import Version
from uv import find_uv_bin

from restbench.catalog import Command, Entry, Language
from restbench.catalog.packages import locked_version
from restbench.system import debian
from restbench.system.advice import option
from restbench.system.processes import find_program
from restbench.system.versions import Asked, ask
from restbench.targets import interpreters, jdks

PYTHON = "Python"
"""The name of the tool that uv brings."""

_JDK_PACKAGE = re.compile(r"openjdk-(\d+)-jdk-headless")


@dataclass(frozen=True)
class Tool:
    """Something that is needed here, such as a program, an interpreter or a package.

    `found`: the version that is here, "there" where it does not tell; None where nothing is here. `wanted`: what is
    needed in its place, with name and version; empty where what is here will do. `packages`: the Debian packages that
    bring it, as name or name=version. `otherwise`: another remedy, in the imperative.
    """

    name: str
    found: str | None
    wanted: str = ""
    packages: tuple[str, ...] = ()
    otherwise: str = ""

    @property
    def lack(self) -> str:
        """What is missing, as a clause."""
        return (
            f"{self.name} is {self.found}, and {self.wanted} is needed" if self.found else f"{self.wanted} is missing"
        )

    @property
    def remedy(self) -> str:
        """How to get it. Empty where nothing is wrong."""
        by_apt = f"install it with: apt-get install {' '.join(self.packages)}" if self.packages else ""
        return ", or ".join(filter(None, [by_apt, self.otherwise]))


def describe(tools: Iterable[Tool]) -> str:
    """Returns one line about all tools that are lacking. What apt-get alone can bring shares one clause."""
    lacking = [tool for tool in tools if tool.wanted]
    plain = [tool for tool in lacking if tool.packages and not tool.found and not tool.otherwise]
    clauses = [f"{tool.lack}: {tool.remedy}" for tool in lacking if tool not in plain]
    if plain:
        packages = dict.fromkeys(package for tool in plain for package in tool.packages)
        verb, it = ("is", "it") if len(plain) == 1 else ("are", "them")
        names = ", ".join(tool.wanted for tool in plain)
        clauses.insert(0, f"{names} {verb} missing: install {it} with: apt-get install {' '.join(packages)}")
    return "; ".join(clauses)


def tools_unavailable_reason(entry: Entry) -> str | None:
    """Returns what this machine lacks for an entry, with the remedy, or None.

    Where apt-get cannot install everything, only the rest is named: the packages alone would not make the entry run.
    """
    lacks = lacks_of(entry)
    return describe([lack for lack in lacks if not lack.packages] or lacks) or None


def lacks_of(entry: Entry) -> list[Tool]:
    """Returns everything that this machine lacks to build and run an entry natively."""
    toolchain = entry.language.manifest.toolchain
    tools = commands({**toolchain.commands, **entry.manifest.commands})
    if toolchain.python is not None:
        tools += [uv_tool(), _python(python_versions_allowed(entry))]
    if toolchain.jdk is not None:
        tools.append(_jdk(jdk_versions_allowed(entry)))
    return lacking([*tools, *_packages_of(entry)])


def lacking(tools: Iterable[Tool]) -> list[Tool]:
    """Returns the tools that are missing, or of another version."""
    return [tool for tool in tools if tool.wanted]


def tools_of(language: Language) -> list[Tool]:
    """Returns the tools that build and run the language's entries natively, all with their versions."""
    toolchain = language.manifest.toolchain
    tools = commands(toolchain.commands, versions=True)
    for name, locked in toolchain.locked.items():
        package = f"{language.manifest.registry}:{locked.package}"
        version = locked_version(language.folder, language.folder / locked.lock, package)
        missing = Tool(name, None, f"{package} in {locked.lock}", otherwise="lock it")
        tools.append(Tool(name, version) if version else missing)
    if toolchain.python is not None:
        tools.append(_python(SpecifierSet(toolchain.python)))
    if toolchain.jdk is not None:
        tools.append(_jdk(SpecifierSet(toolchain.jdk)))
    return [*tools, *_packages(dict.fromkeys(toolchain.packages, ""))]


def commands(wanted: dict[str, Command], *, versions: bool = False) -> list[Tool]:
    """Returns commands as tools. With `versions`, those of which any version will do are asked for theirs, too."""
    tools = []
    for name, command in wanted.items():
        path = find_program(name)
        asked = ask(path, command.version) if path and (versions or command.at_least) else None
        version = _version_in(asked) if asked else None
        trouble = f"out of order ({path}: {asked.trouble})" if asked and asked.trouble else None
        found = trouble or str(version or "there") if path else None
        too_old = version is not None and version < Version(command.at_least or "0")
        if path and not too_old and not trouble:
            tools.append(Tool(name, found))
            continue
        packages = tuple((command.debian or "").split())
        if too_old and debian.installed().keys() >= set(packages):
            packages = ()  # they brought what is too old
        ways = f"install it {command.otherwise or 'from elsewhere'}" if command.otherwise or not packages else ""
        needed = f"{name} {command.at_least} or newer" if command.at_least else name
        tools.append(Tool(name, found, needed, packages, ways))
    return tools


def _version_in(asked: Asked) -> Version | None:
    """Returns the first version that a program prints, None where there is none."""
    # a number with a point is preferred, as one without may be no version, such as the code of a colour
    match = re.search(r"\d+(?:\.\d+)+", asked.output) or re.search(r"\d+", asked.output)
    return Version(match[0]) if match and asked.code == 0 else None


def uv_tool() -> Tool:
    """Returns uv, which builds the environments of Python's entries. It comes with restbench."""
    program = find_uv_bin()
    asked = ask(program, "--version")
    if asked.trouble is None:
        return Tool("uv", str(_version_in(asked) or "there"))
    return Tool("uv", f"out of order ({program}: {asked.trouble})", "uv", otherwise="set up anew with: scripts/setup")


def python_versions_allowed(entry: Entry) -> SpecifierSet:
    """Returns the versions of Python that both the language and the entry allow."""
    return SpecifierSet(entry.language.manifest.toolchain.python or "") & SpecifierSet(entry.manifest.python or "")


def jdk_versions_allowed(entry: Entry) -> SpecifierSet:
    """Returns the versions of the JDK that both the language and the entry allow."""
    return SpecifierSet(entry.language.manifest.toolchain.jdk or "") & SpecifierSet(entry.manifest.jdk or "")


def forget() -> None:
    """Forgets what was found on this machine, because it may have changed."""
    ask.cache_clear()
    interpreters.forget()
    jdks.forget()
    debian.forget()


def _python(allowed: SpecifierSet) -> Tool:
    found = interpreters.choose(allowed)
    if found is None:
        return Tool(PYTHON, None, f"Python {allowed}", otherwise=f"install it with: uv python install '{allowed}'")
    return Tool(PYTHON, str(found.version), otherwise=interpreters.slow_reason(found) or "")


def _jdk(allowed: SpecifierSet) -> Tool:
    chosen = jdks.choose(allowed)
    if chosen is not None:
        return Tool("JDK", str(chosen.version))
    known = [int(match[1]) for name in debian.known("openjdk-") if (match := _JDK_PACKAGE.fullmatch(name))]
    fitting = [number for number in known if allowed.contains(str(number))]
    packages = [f"openjdk-{max(fitting)}-jdk-headless"] if fitting else []
    if not known:  # apt-get has no lists yet
        packages = ["default-jdk-headless"]
    other = jdks.choose(SpecifierSet())
    elsewhere = "" if packages else "install one from https://adoptium.net/temurin/releases"
    return Tool("JDK", str(other.version) if other else None, f"JDK {allowed}", tuple(packages), elsewhere)


def _packages_of(entry: Entry) -> list[Tool]:
    """Returns the Debian packages that an entry needs. Those of its lock are needed in the locked versions."""
    toolchain, lock, here = entry.language.manifest.toolchain, entry.lock(), debian.codename()
    locked = entry.locked_versions() if lock and entry.language.manifest.registry == debian.REGISTRY else {}
    packages = _packages(dict.fromkeys(toolchain.packages, "") | locked, f"lock anew in {lock.name}" if lock else "")
    of_image = lock == entry.lock("docker") and toolchain.release not in (None, here)
    if of_image and any(tool.name in locked for tool in lacking(packages)):
        return [Tool("Debian", here, f"Debian {toolchain.release}", otherwise=f"use {option('target', 'docker')}")]
    return packages


def _packages(wanted: dict[str, str], otherwise: str = "") -> list[Tool]:
    """Returns Debian packages as tools. `otherwise`: what to do where one is here in another version than is wanted."""
    tools = []
    for name, version in sorted(wanted.items()):
        here = debian.installed().get(name)
        package = f"{name}={version}" if version else name
        # a `*` at the end of a version stands for any suffix, as for apt-get install
        fits = here is not None and fnmatchcase(here, version or "*")
        tools.append(Tool(name, here) if fits else Tool(name, here, package, (package,), otherwise if here else ""))
    return tools
