"""Runs `restbench bench` with entries of the real catalogue in the background, and finds what it leaves behind."""

import contextlib
import json
import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from restbench.catalog import load_catalog
from restbench.containers.engine import OWNER_LABEL, docker
from restbench.results.files import read_folder
from restbench.results.models import EntryResult
from restbench.system import own_cgroups
from restbench.system.processes import OWNER
from restbench.system.repository import Repository, find_repository
from tests.end_to_end.made import Ran, command_environment

REPOSITORY = find_repository()
LONGEST_RUN_SECONDS = 1800

_ENVIRONMENT = re.compile(r"/env/([a-z]+)/([^/]+)-[0-9a-f]{12}/")
"""The folder of an entry's environment, in the command of its app."""


@dataclass
class Bench:
    """A run of some entries in the background, with profile `smoke`.

    `root`: the checkout that they are in. `harnesses`: the process ids of its commands.
    """

    entries: list[str]
    suite: str
    target: str
    out: Path
    root: Path = REPOSITORY.root
    harnesses: list[int] = field(default_factory=list)

    def start(self, *module: str, resume: bool = False) -> subprocess.Popen[str]:
        """Starts the run, or resumes it. `module`: a module and its arguments, to run in place of restbench."""
        words = ["--resume"] if resume else [*self.entries, "--suite", self.suite, "--target", self.target]
        words += [] if resume else ["--profile", "smoke"]
        argv = [sys.executable, "-m", *(module or ("restbench",)), "bench", *words, "--out", str(self.out)]
        env, pipe = command_environment(Repository(self.root)), subprocess.PIPE
        running = subprocess.Popen(argv, env=env, stdout=pipe, stderr=pipe, text=True)
        self.harnesses.append(running.pid)
        return running

    def take_up(self) -> tuple[int, str]:
        """Resumes a run that was ended, or starts it again where it has no journal yet. Waits until it has ended."""
        return ended(self.start(resume=self.journal.exists()))

    @property
    def journal(self) -> Path:
        return self.out / "rounds.jsonl"

    @property
    def results(self) -> dict[str, EntryResult]:
        folder = self.out / "results"
        return read_folder(folder) if folder.is_dir() else {}

    def rounds(self) -> list[str]:
        """Returns the journal's lines that have a whole round."""
        text = self.journal.read_text() if self.journal.exists() else ""
        return [line for line in text[: text.rfind("\n") + 1].splitlines() if line.startswith('{"team"')]

    def solo_rounds(self) -> Counter[str]:
        """Returns the number of solo rounds in the journal by cell.

        The cells of the baseline and of the reference are left out, because they are in several teams.
        """
        rounds = [json.loads(line) for line in self.rounds()]
        teams = {(line["team"], line["cell"]) for line in rounds}
        once = {cell for cell, count in Counter(cell for _, cell in teams).items() if count == 1}
        return Counter(line["cell"] for line in rounds if "overhead_ms" in line["round"] and line["cell"] in once)

    def faulty(self) -> dict[str, str]:
        """Returns the entries that lack a figure, with the reason."""
        results, known = self.results, load_catalog(REPOSITORY).entries
        taking_part = [name for name in self.entries if known[name].cells([self.suite])]
        lacking = {name: "no result" for name in taking_part if name not in results}
        for name, result in results.items():
            for cell in result.cells:
                if cell.failure or cell.not_run or not (cell.measured or cell.features):
                    lacking[name] = str(cell.failure or cell.not_run or "no figure")
        return lacking

    def processes(self) -> list[psutil.Process]:
        """Returns the processes that the harnesses of this run have started and that still run."""
        found = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                owner = process.environ().get(OWNER, "")
                if process.status() != psutil.STATUS_ZOMBIE and self._owns(owner):
                    found.append(process)
        return found

    def apps(self) -> dict[str, int]:
        """Returns the process id of the first process of each entry's app."""
        found = {}
        for process in self.processes():
            with contextlib.suppress(psutil.Error, OSError):
                entry = _ENVIRONMENT.search(" ".join(process.cmdline()))
                if entry and "PORT" in process.environ() and os.getpgid(process.pid) == process.pid:
                    found[f"{entry[1]}/{entry[2]}"] = process.pid
        return found

    def containers(self) -> dict[str, str]:
        """Returns the owners of this run's containers by name."""
        form = f'{{{{.Names}}}} {{{{.Label "{OWNER_LABEL}"}}}}'
        rows = docker("ps", "--all", "--filter", f"label={OWNER_LABEL}", "--format", form, check=False).stdout
        pairs = [line.split() for line in rows.splitlines()]
        return {name: owner for name, owner in pairs if self._owns(owner)}

    def app_containers(self) -> dict[str, str]:
        """Returns the name of the container of each entry's app."""
        found = {}
        for name in self.containers():
            for entry in self.entries:
                if name.endswith(f"-{entry.replace('/', '-')}"):
                    found[entry] = name
        return found

    def left(self) -> list[str]:
        """Returns the processes, cgroups and containers of this run that are still there."""
        cgroups = [str(path) for path in own_cgroups.find() if self._owns(own_cgroups.owner_of(path))]
        containers = self.containers() if self.target == "docker" else []
        return [*map(str, self.processes()), *cgroups, *containers]

    def _owns(self, owner: str) -> bool:
        return any(f".{pid}." in owner for pid in self.harnesses)


def ended(running: subprocess.Popen[str]) -> tuple[int, str]:
    """Waits until a command has ended. Returns its exit code and what it wrote to standard error.

    The code is 0 where a run went to its end, and other programs had its rounds refused.
    """
    out, err = running.communicate(timeout=LONGEST_RUN_SECONDS)
    ran = Ran(running.returncode, out, err)
    return 0 if ran.has_measured else ran.code, ran.err
