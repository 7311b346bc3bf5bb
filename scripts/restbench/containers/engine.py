"""The Docker engine, used through the docker command.

Each container and network has a label with its harness, so that a later run can remove it when the harness is dead.
"""

import json
import shutil
import subprocess
from typing import Any

from restbench.system.owners import owner_id, owner_lives

OWNER_LABEL = "restbench.owner"

LIMITS = ("--pids-limit=2048", "--cap-drop=ALL", "--security-opt=no-new-privileges", "--read-only")
"""The limits of every container. Threads count as processes, and some servers have one thread for each connection."""


def docker_unavailable_reason() -> str | None:
    """Returns None when a Docker engine answers, else why not."""
    if shutil.which("docker") is None:
        return "there is no docker command"
    ran = docker("version", "--format", "{{.Server.Version}}", check=False)
    return None if ran.returncode == 0 else (ran.stderr.strip().splitlines() or ["it does not answer"])[-1]


def engine_version() -> str:
    return docker("version", "--format", "{{.Server.Version}}").stdout.strip()


def docker(*arguments: str, check: bool = True, timeout: float = 180) -> subprocess.CompletedProcess[str]:
    """Runs a docker command to its end.

    Raises subprocess.SubprocessError when it takes longer than `timeout` seconds and, with `check`, when it fails.
    """
    return subprocess.run(["docker", *arguments], capture_output=True, text=True, check=check, timeout=timeout)


def owner_label() -> str:
    """Returns the label of all containers and networks that this harness makes."""
    return f"{OWNER_LABEL}={owner_id()}"


def inspect_image(image: str) -> Any:
    """Returns the engine's description of an image, None where there is no image of that name."""
    ran = docker("image", "inspect", image, check=False)
    return json.loads(ran.stdout)[0] if ran.returncode == 0 else None


def what_it_said(error: BaseException) -> str:
    """Returns why a docker command failed."""
    return error.stderr.strip() if isinstance(error, subprocess.CalledProcessError) else str(error)


def exit_reason(container: str) -> str | None:
    """Returns None while a container runs, else how it ended."""
    template = "{{.State.Running}} {{.State.ExitCode}} {{.State.OOMKilled}}"
    ran = docker("inspect", "--format", template, container, check=False)
    if ran.returncode != 0:
        return "is gone"
    running, code, starved = (ran.stdout.split() + [""] * 3)[:3]
    if running == "true":
        return None
    return f"exited with code {code}" + (", out of memory" if starved == "true" else "")


def log_tail(container: str, lines: int) -> str:
    """Returns the last lines that a container wrote."""
    ran = docker("logs", "--tail", str(lines), container, check=False)
    return "\n".join((ran.stdout + ran.stderr).splitlines()[-lines:])


def remove_orphans() -> list[str]:
    """Removes containers and networks whose harness is dead. Returns a description of each."""
    removed = []
    for kind, listing in (("container", ("ps", "--all")), ("network", ("network", "ls"))):
        rows = docker(*listing, "--filter", f"label={OWNER_LABEL}", "--format", "{{.ID}}", check=False).stdout.split()
        for identity in rows:
            owner = _label(kind, identity)
            if owner and not owner_lives(owner):
                docker(kind, "rm", *(["--force"] if kind == "container" else []), identity, check=False)
                removed.append(f"{kind} {identity[:12]}")
    return removed


def _label(kind: str, identity: str) -> str:
    labels = ".Config.Labels" if kind == "container" else ".Labels"
    template = f'{{{{index {labels} "{OWNER_LABEL}"}}}}'
    return docker(kind, "inspect", "--format", template, identity, check=False).stdout.strip()
