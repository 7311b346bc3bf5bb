"""Throw-away git repositories: a bare remote, and checkouts of it."""

import os
import subprocess
from pathlib import Path

from restbench.ci.git import AUTHOR

GIT_CONFIG = Path(__file__).with_name("gitconfig")
ENVIRONMENT = {
    **AUTHOR,
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": str(GIT_CONFIG),
}


def git(folder: Path, *words: str) -> str:
    """What git prints in that folder, whatever this machine's settings are."""
    ran = subprocess.run(["git", *words], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=True)
    return ran.stdout.strip()


def a_remote(folder: Path, files: dict[str, str]) -> Path:
    """A bare repository whose main has those files."""
    remote, seed = folder / "remote.git", folder / "seed"
    seed.mkdir(parents=True)
    git(folder, "init", "--quiet", "--bare", "--initial-branch=main", str(remote))
    git(seed, "init", "--quiet", "--initial-branch=main")
    commit(seed, files, "The first")
    git(seed, "push", "--quiet", str(remote), "main")
    return remote


def a_clone(remote: Path, folder: Path) -> Path:
    git(remote, "clone", "--quiet", str(remote), str(folder))
    return folder


def commit(folder: Path, files: dict[str, str], message: str) -> str:
    """Commits those files. Returns the commit."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", message)
    return git(folder, "rev-parse", "HEAD")


def push(folder: Path, files: dict[str, str], branch: str = "main") -> str:
    """Commits those files and pushes them, as somebody else would. Returns the commit."""
    made = commit(folder, files, "Somebody else's")
    git(folder, "push", "--quiet", "origin", f"HEAD:{branch}")
    return made


def files_of(remote: Path, branch: str) -> list[str]:
    return git(remote, "ls-tree", "-r", "--name-only", branch).splitlines()


def fails_first(folder: Path, times: int, message: str, then: str) -> Path:
    """A program that says something and fails, so many times, and then does something else."""
    program, count = folder / "fails-first", folder / "count"
    program.write_text(
        f"#!/bin/sh\nPATH=/usr/bin:/bin\ncd {folder} && echo x >>{count.name}\n"
        f"if [ $(wc -l <{count}) -le {times} ]; then echo '{message}' >&2; exit 128; fi\n{then}\n"
    )
    program.chmod(0o755)
    return program
