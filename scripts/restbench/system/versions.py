"""Asks programs of this machine for their versions, each once. So it is known before a run which cannot run."""

import os
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from restbench.system.cpus import cpu_list
from restbench.system.processes import find_program, run_measured, search_path
from restbench.system.text import telling_line

SECONDS = 20.0
"""How long an answer may take: some start a virtual machine first."""

_CANNOT_RUN = (126, 127)
"""The exit codes of a shell for a program that cannot be executed, or that is missing."""

_LOADER = re.compile(r"version `\S+' not found|error while loading shared libraries", re.IGNORECASE)


@dataclass(frozen=True)
class Asked:
    """What a program answers. `output`: what it printed, errors only where it printed nothing else.

    `trouble`: why it cannot run; None where it can.
    """

    code: int
    output: str
    trouble: str | None


@cache
def ask(program: str, *arguments: str) -> Asked:
    """Runs a program that ends at once, such as with --version. `program`: its path."""
    asked = " ".join(arguments)
    try:
        env = {**os.environ, "PATH": search_path()}
        ran = run_measured([program, *arguments], cpus=None, timeout=SECONDS, env=env)
    except TimeoutError:
        return Asked(-1, "", f"{asked} does not end")
    except OSError as error:
        return Asked(-1, "", error.strerror or str(error))
    said, output = telling_line(ran.stderr or ran.stdout), ran.stdout or ran.stderr
    said = said.removeprefix(f"{program}: ").removeprefix(f"{Path(program).name}: ")
    if ran.returncode < 0:
        return Asked(ran.returncode, output, f"{asked} was ended by signal {-ran.returncode}")
    if ran.returncode in _CANNOT_RUN or (ran.returncode and _LOADER.search(said)):
        return Asked(ran.returncode, output, said or f"{asked} exits with code {ran.returncode}")
    return Asked(ran.returncode, output, None)


class Unusable(NamedTuple):
    """A program that cannot be used: what it is, such as "missing", and the remedy, in the imperative."""

    name: str
    what: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.name} is {self.what}: {self.remedy}"


MISSING = "missing"


def cannot_pin(cpus: tuple[int, ...]) -> Unusable | None:
    """Returns None when programs can be pinned to these CPUs, else why not. It is tried once."""
    taskset, remedy = find_program("taskset"), "install it with: apt-get install util-linux"
    if taskset is None:
        return Unusable("taskset", MISSING, remedy)
    tried = ask(taskset, "--cpu-list", cpu_list(cpus), "true")
    if tried.code == 0:
        return None
    why = tried.trouble or telling_line(tried.output) or f"exit code {tried.code}"
    allow = f"allow restbench to use CPU {cpu_list(cpus)}, or {remedy}"
    return Unusable("taskset", f"out of order ({taskset}: {why.removeprefix('taskset: ')})", allow)
