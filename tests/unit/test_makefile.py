"""What make passes to restbench: what its command line says, and nothing that a shell's environment holds."""

import os
import subprocess
from collections.abc import Mapping

import pytest

from restbench.system.repository import find_repository

pytestmark = pytest.mark.needs("make")


def commands(*words: str, env: Mapping[str, str] | None = None) -> list[str]:
    """The commands of restbench that make would run."""
    argv = ["make", "--dry-run", "--always-make", *words]
    outer = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    ran = subprocess.run(
        argv, cwd=find_repository().root, env=outer | dict(env or {}), capture_output=True, text=True, check=True
    )
    lines = [" ".join(line.split()) for line in ran.stdout.splitlines()]
    return [line.removeprefix(".venv/bin/") for line in lines if line.startswith(".venv/bin/restbench")]


def test_variables_of_the_command_line_become_arguments() -> None:
    words = ["FRAMEWORKS=python/falcon rust/*", "SUITES=hello workload", "PROFILE=pr", "TARGET=docker"]
    assert commands("bench", *words) == [
        "restbench prepare 'python/falcon' 'rust/*' --suite='hello' --suite='workload' --target='docker'",
        "restbench bench 'python/falcon' 'rust/*' --suite='hello' --suite='workload' --profile='pr' --target='docker'",
    ]
    assert commands("verify", "FRAMEWORK=python/falcon")[-1] == "restbench verify 'python/falcon'"


def test_variables_of_the_environment_are_somebody_elses() -> None:
    held = {
        "TARGET": "x86_64-unknown-linux-gnu",
        "PROFILE": "release",
        "SUITES": "all",
        "FRAMEWORKS": "x",
        "INSTALL": "0",
    }
    assert commands("bench", env=held) == ["restbench prepare", "restbench bench"]


def test_installing_can_be_refused() -> None:
    assert commands("setup", "INSTALL=0") == ["restbench prepare --no-install"]
