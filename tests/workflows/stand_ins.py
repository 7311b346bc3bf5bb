"""Runs a stand-in for an action alone, as a runner does."""

import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from tests.unit.repositories import GIT_CONFIG
from tests.workflows.runner import REPOSITORY, STAND_INS
from tests.workflows.user import tool_path

Ran = subprocess.CompletedProcess[str]
_CLIENT = Path(__file__).with_name("artifact_client.mjs")
_EXPRESSION = re.compile(r"\${{ inputs\.([\w-]+) }}")


def definition(action: str) -> dict[str, Any]:
    """The content of a stand-in's action.yml. `action`: its folder."""
    found: dict[str, Any] = yaml.safe_load((STAND_INS / action / "action.yml").read_text())
    return found


def ran_with_node(action: str, folder: Path, environment: Mapping[str, str], given: Mapping[str, str]) -> Ran:
    """Runs a stand-in in a folder, with the inputs that are given. Packages of the official client are replaced."""
    code = folder.with_name(f"code-of-{action}")
    if not code.is_dir():
        shutil.copytree(STAND_INS / action, code, ignore=shutil.ignore_patterns("node_modules"))
        for package in ("@actions/artifact", "minimatch"):
            target = code / "node_modules" / package
            target.mkdir(parents=True)
            shutil.copy(_CLIENT, target / "index.mjs")
            (target / "package.json").write_text('{"exports": "./index.mjs"}')
    inputs = {f"INPUT_{name.upper()}": value for name, value in _with_defaults(action, given).items()}
    main = definition(action)["runs"]["main"]
    return _run(["node", str(code / main)], folder, {**inputs, **environment})


def ran_with_bash(action: str, folder: Path, environment: Mapping[str, str], given: Mapping[str, str]) -> Ran:
    """Runs the only step of a stand-in that consists of shell commands, with the inputs that are given."""
    (step,) = definition(action)["runs"]["steps"]
    inputs = _with_defaults(action, given)
    variables = {
        name: _EXPRESSION.sub(lambda found: inputs[found[1]], text) for name, text in step.get("env", {}).items()
    }
    return _run(["bash", "-e", "-o", "pipefail", "-c", step["run"]], folder, {**variables, **environment})


def _with_defaults(action: str, given: Mapping[str, str]) -> dict[str, str]:
    """The inputs as a runner completes them from action.yml. Only inputs that it has can be given."""
    known = definition(action)["inputs"]
    assert set(given) <= set(known)
    return {name: str(about.get("default", "")) for name, about in known.items()} | dict(given)


def _run(command: list[str], folder: Path, environment: Mapping[str, str]) -> Ran:
    always = {
        "PATH": tool_path(),
        "HOME": "/nonexistent",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": str(GIT_CONFIG),
        "GITHUB_REPOSITORY": REPOSITORY,
        "GITHUB_WORKSPACE": str(folder),
    }
    return subprocess.run(
        command, cwd=folder, env={**always, **environment}, capture_output=True, text=True, check=False
    )
