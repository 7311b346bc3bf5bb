"""Checkouts in which restbench is not set up yet."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from tests.end_to_end.background import REPOSITORY

PARTS = (
    "Makefile",
    "README.md",
    "fixtures",
    "frameworks",
    "pyproject.toml",
    "requirements-dev.txt",
    "requirements.txt",
    "scripts",
)


class Checkout:
    """A copy of this checkout without what git ignores, so that restbench is not set up in it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True)
        unwanted = shutil.ignore_patterns("__pycache__", "node_modules", "target")
        for part in PARTS:
            source = REPOSITORY.root / part
            if source.is_dir():
                shutil.copytree(source, root / part, ignore=unwanted, symlinks=True)
            else:
                shutil.copy(source, root / part)

    def make(self, *words: str, env: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
        """Starts make in a session of its own, as a shell does with what a person types."""
        outer = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "RESTBENCH_"))}
        pipe = subprocess.PIPE
        return subprocess.Popen(
            ["make", *words],
            cwd=self.root,
            env=outer | dict(env or {}),
            stdin=subprocess.DEVNULL,
            stdout=pipe,
            stderr=pipe,
            text=True,
            start_new_session=True,
        )
