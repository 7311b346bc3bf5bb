"""Runs workflows on this machine with nektos/act, in a temporary clone with a bare remote."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import pathname2url

import pytest

from restbench.system.ports import free_port
from restbench.system.repository import find_repository
from tests.unit.repositories import git
from tests.workflows.user import Sudo, make_user

MARKS = [
    pytest.mark.slow,
    pytest.mark.docker,
    pytest.mark.extended,
    pytest.mark.alone,
    pytest.mark.timeout(3600),
    pytest.mark.needs("docker", "act", "node", "npm"),
]
"""The marks of tests that run workflows."""

STAND_INS = Path(__file__).with_name("actions")
REPOSITORY = "restbench/restbench"
COMPARISONS = "      jobs: ${{ needs.plan.outputs.comparisons }}\n"
"""How the workflow of the board says which entries are compared with what they were, in all suites."""
MINUTES = 20


@dataclass(frozen=True)
class Ran:
    """A run of a workflow that has ended. `artifacts`: the folder of its artifacts, which are zip files."""

    code: int
    log: str
    artifacts: Path


class Service:
    """A remote with this repository's files, a clone of it, and the actions that its workflows use.

    Workflows run as `user`, who becomes the owner of the folder. `sudo` says what that program does for the user.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.user, self.sudo = make_user(folder), Sudo.REFUSED
        self.remote, self.clone = folder / "remote.git", folder / "clone"
        git(folder, "init", "--quiet", "--bare", "--initial-branch=main", str(self.remote))
        self.clone.mkdir()
        for name in _tracked_files():
            target = self.clone / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(find_repository().root / name, target)
        git(self.clone, "init", "--quiet", "--initial-branch=main")
        # act reads the repository's name from the remote's address, and git replaces that address
        git(self.clone, "remote", "add", "origin", f"https://github.com/{REPOSITORY}")
        git(
            self.clone,
            "config",
            f"url.{self.address}.insteadOf",
            f"https://github.com/{REPOSITORY}",
        )
        self.commit("What there is")
        git(self.clone, "push", "--quiet", "origin", "main")
        self.actions = _actions(folder / "actions")

    @property
    def address(self) -> str:
        return f"file://{pathname2url(str(self.remote))}"

    def commit(self, message: str) -> str:
        git(self.clone, "add", "--all")
        git(self.clone, "commit", "--quiet", "--message", message)
        return self.head

    @property
    def head(self) -> str:
        return git(self.clone, "rev-parse", "HEAD")

    def _copy_for_act(self, workflow: str) -> Path:
        """Writes what act reads beside the clone: a workflow, and those that it calls. Returns the path of the first.

        The clone keeps its files as they are on GitHub. Where one differed from its commit, results would name none.
        """
        folder = self.clone / ".github/workflows"
        text = _as_act_has_it((folder / f"{workflow}.yml").read_text())
        for called in re.findall(r"uses: \./\.github/workflows/([\w-]+)\.yml\n", text):
            self._copy_for_act(called)
        path = self._folder / f"{workflow}.yml"
        path.write_text(text.replace("uses: ./.github/workflows/", "uses: ./../"))
        return path

    def run(
        self,
        workflow: str,
        event: str,
        payload: Mapping[str, Any],
        token: str = "",
        artifacts: Path | None = None,
        job: str = "",
        **variables: str,
    ) -> Ran:
        """Runs a workflow of the clone's checkout and waits until it has ended.

        `payload`: the event's. `token`: the token that GitHub gives to a job. `artifacts`: those of the run of which
        jobs are run again. `job`: the one that is run, after those that it needs; without it, all jobs are run.
        `variables`: variables of the repository, which the environment of the steps has too.
        """
        number = len(list(self._folder.glob("event-*.json")))
        event_file, artifacts = self._folder / f"event-{number}.json", artifacts or self._folder / f"artifacts-{number}"
        event_file.write_text(json.dumps({**payload, "repository": _repository()}))
        command = ["act", event, "--workflows", str(self._copy_for_act(workflow)), "--eventpath", str(event_file)]
        command += ["--platform", "ubuntu-24.04=-self-hosted", "--concurrent-jobs", "1", "--no-cache-server"]
        command += ["--action-cache-path", str(self._folder / "cache")]
        command += ["--artifact-server-path", str(artifacts), "--artifact-server-addr", "127.0.0.1"]
        command += ["--artifact-server-port", str(free_port())]
        command += ["--var", "BUILDX_DRIVER=docker", "--var", "IMAGE_CACHE=off"]
        command += ["--env", f"RESTBENCH_REMOTE={self.address}"]
        command += ["--env", f"GITHUB_REPOSITORY={REPOSITORY}"]  # else act takes it from the address that git replaced
        if job:
            command += ["--job", job]
        if token:
            command += ["--secret", f"GITHUB_TOKEN={token}"]
        for name, value in variables.items():
            command += ["--env", f"{name}={value}", "--var", f"{name}={value}"]
        for name, path in self.actions.items():
            command += ["--local-repository", f"{name}={path}"]
        self.user.own(self._folder)
        with self.user.using(self.sudo):
            ran = subprocess.run(
                command,
                cwd=self.clone,
                env={**self.user.environment(), "DOCKER_BUILDKIT": "1"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=60 * MINUTES,
                check=False,
                **self.user.identity,
            )
        (self._folder / f"log-{number}.txt").write_text(ran.stdout)
        return Ran(ran.returncode, ran.stdout, artifacts)


def _as_act_has_it(workflow: str) -> str:
    """The text of a workflow with what act 0.2.89 understands, for one machine that all jobs share."""
    # act refuses the keys `queue` and `cache-mode`, which GitHub has had since May and September 2026
    text = re.sub(r"^ *(queue|cache-mode): .*\n", "", workflow, flags=re.MULTILINE)
    # without this line, act runs up to four jobs of a matrix side by side
    text = re.sub(r"^ *max-parallel: .*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"^( *)strategy:\n", r"\g<0>\1  max-parallel: 1\n", text, flags=re.MULTILINE)
    return text.replace(COMPARISONS, f"{COMPARISONS}      suites: hello\n")  # a comparison of all suites takes minutes


def _repository() -> dict[str, Any]:
    return {
        "name": "restbench",
        "full_name": REPOSITORY,
        "html_url": f"https://github.com/{REPOSITORY}",
        "owner": {"login": "restbench"},
        "default_branch": "main",
        "private": False,
    }


def _tracked_files() -> list[str]:
    root = find_repository().root
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    return [name for name in listed.stdout.split("\0") if name and (root / name).is_file()]


def _actions(folder: Path) -> dict[str, Path]:
    """Returns a folder for each action that our workflows use, by owner/name@commit: a stand-in, or the real action."""
    github = find_repository().root / ".github"
    texts = [path.read_text() for path in github.rglob("*.yml")]
    used = {
        word.partition("#")[0].strip()
        for text in texts
        for line in text.splitlines()
        if (word := line.strip().removeprefix("- ").removeprefix("uses: ")) != line.strip().removeprefix("- ")
        and "@" in word
    }
    found = {}
    for name in used:
        action, _, ref = name.partition("@")
        repository = "/".join(action.split("/")[:2])
        found[f"{repository}@{ref}"] = _action(repository, folder)
    return found


def _action(repository: str, folder: Path) -> Path:
    """Copies an action into a folder, installs the packages of its package.json, and returns its folder."""
    real = Path(os.environ.get("RESTBENCH_ACTIONS", "/nonexistent")) / repository
    source = real if real.is_dir() else STAND_INS / repository.partition("/")[2]
    target = folder / repository
    if target.is_dir():
        return target
    shutil.copytree(source, target, ignore=shutil.ignore_patterns(".git"))
    if (target / "package-lock.json").is_file() and not (target / "dist").is_dir():
        subprocess.run(["npm", "ci", "--silent", "--no-audit", "--no-fund"], cwd=target, check=True)
    return target
