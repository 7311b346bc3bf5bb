"""The Docker engine, used through the docker command.

Each container and network has a label with its harness, so that a later run can remove it when the harness is dead.
"""

import json
import platform
import re
import shutil
import socket
import struct
import subprocess
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from restbench.system.advice import option
from restbench.system.owners import owner_id, owner_lives

OWNER_LABEL = "restbench.owner"

LIMITS = ("--pids-limit=2048", "--cap-drop=ALL", "--security-opt=no-new-privileges", "--read-only")
"""The limits of every container. Threads count as processes, and some servers have one thread for each connection."""

COMMAND_SECONDS, STOP_SECONDS, VERSION_SECONDS = 180.0, 60.0, 20.0
"""How long a docker command may take, one that stops or removes something, and one that asks for the version."""

TIMED_OUT = 124
"""The exit code of a command that took too long, as timeout(1) has it."""

_ENGINE = re.compile(
    r"cannot connect to the docker daemon|error during connect|no space left on device|address pool|i/o timeout"
    r"|context deadline exceeded|input/output error|cannot allocate memory|too many open files|read-only file system"
    r"|error setting rlimit|buildx component is missing|killed signal terminated program|signal: 9, sigkill",
    re.IGNORECASE,
)
"""What an engine or a compiler says where it or the machine is out of order."""


def docker_unavailable_reason() -> str | None:
    """Returns None when a Docker engine answers, else why not."""
    if shutil.which("docker") is None:
        return "there is no docker command"
    try:
        ran = docker("version", "--format", "{{.Server.Version}}", check=False, timeout=VERSION_SECONDS)
    except OSError as error:
        return f"docker cannot run: {error.strerror}"
    return None if ran.returncode == 0 else (ran.stderr.strip().splitlines() or ["it does not answer"])[-1]


def engine_version() -> str:
    return docker("version", "--format", "{{.Server.Version}}").stdout.strip()


@cache
def elsewhere_reason() -> str | None:
    """Returns None for an engine that runs on this machine, as far as can be told before a container runs.

    Otherwise it returns why its containers cannot be measured from here, with the remedy. The engine is asked once. It
    has to answer.
    """
    endpoint = docker("context", "inspect", "--format", "{{.Endpoints.docker.Host}}", check=False).stdout.strip()
    try:
        told = json.loads(docker("info", "--format", "{{json .}}", check=False).stdout)
    except ValueError:
        told = None
    why = _why_elsewhere(endpoint, told if isinstance(told, dict) else {})
    return elsewhere(why) if why else None


def elsewhere(why: str) -> str:
    """Returns the sentence about an engine whose containers cannot be measured from here."""
    remedy = f"run restbench where the engine runs, or use {option('target', 'native')}"
    return f"this engine's containers cannot be measured from here, as {why}: {remedy}"


def _why_elsewhere(endpoint: str, told: dict[str, Any]) -> str | None:
    """Returns a clause about an engine elsewhere. `endpoint` is empty for podman's docker, which has no contexts.

    `told` is what it says of itself.
    """
    scheme, _, path = endpoint.partition("://")
    if endpoint and scheme != "unix":
        return f"it is at {endpoint}, which is no socket of this machine"
    if endpoint and _is_of_another_namespace(_peer(path)):
        return "it is in another PID namespace"
    system, kernel = told.get("OperatingSystem"), told.get("KernelVersion") or platform.release()
    if system == "Docker Desktop":
        return "Docker Desktop runs it in a virtual machine"
    if kernel != platform.release():
        return f"its kernel is {kernel} and this one is {platform.release()}"
    if any("rootless" in each for each in told.get("SecurityOptions") or []):
        return "it is rootless, and containers have addresses in a network namespace of its own"
    return None


def _peer(path: str) -> int | None:
    """Returns the PID of who listens on a Unix socket, 0 for one in another PID namespace. None: nobody listens."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        try:
            client.connect(path)
        except OSError:
            return None
        credentials = client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return int(struct.unpack("3i", credentials)[0])


def _is_of_another_namespace(pid: int | None) -> bool:
    """Returns whether a process is in another PID namespace, as far as this user may see it."""
    with suppress(OSError):
        return pid == 0 or Path(f"/proc/{pid}/ns/pid").readlink() != Path("/proc/self/ns/pid").readlink()
    return False


def docker(*arguments: str, check: bool = True, timeout: float = COMMAND_SECONDS) -> subprocess.CompletedProcess[str]:
    """Runs a docker command to its end.

    With `check`, raises subprocess.SubprocessError when it fails or takes longer than `timeout` seconds. Without it, a
    command that takes longer has TIMED_OUT as its exit code, because a busy engine is no reason to stop anything.
    """
    argv = ["docker", *arguments]
    try:
        return subprocess.run(argv, capture_output=True, encoding="utf-8", check=check, timeout=timeout)
    except subprocess.TimeoutExpired:
        if check:
            raise
        return subprocess.CompletedProcess(argv, TIMED_OUT, "", f"docker did not end within {timeout:.0f} s")


def stop(container: str, grace: float) -> None:
    """Sends SIGTERM and, after `grace` seconds, SIGKILL. An engine that takes too long is no error."""
    docker("stop", f"--time={grace:.0f}", container, check=False, timeout=STOP_SECONDS)


def remove(containers: list[str], network: str | None = None) -> None:
    """Removes containers, killing those that run, and a network. Each is tried, however long the others take.

    What cannot be removed in time, a later run removes by its owner label.
    """
    for container in containers:
        docker("rm", "--force", "--volumes", container, check=False, timeout=STOP_SECONDS)
    if network:
        docker("network", "rm", network, check=False, timeout=STOP_SECONDS)


def failed(error: BaseException) -> bool:
    """Whether an error of a docker command is that of the engine or of this machine, and not of the container."""
    return isinstance(error, subprocess.TimeoutExpired) or trouble_in(failure_reason(error)) is not None


def trouble_in(text: str) -> str | None:
    """Returns the first line that says that the engine or this machine is out of order, None where none says so."""
    return next((line.strip() for line in text.splitlines() if _ENGINE.search(line)), None)


def owner_label() -> str:
    """Returns the label of all containers and networks that this harness makes."""
    return f"{OWNER_LABEL}={owner_id()}"


def inspect_image(image: str) -> Any:
    """Returns the engine's description of an image, None where there is no image of that name."""
    ran = docker("image", "inspect", image, check=False)
    return json.loads(ran.stdout)[0] if ran.returncode == 0 else None


def failure_reason(error: BaseException) -> str:
    """Returns why a docker command failed."""
    return error.stderr.strip() if isinstance(error, subprocess.CalledProcessError) else str(error)


def exit_reason(container: str) -> str | None:
    """Returns None while a container runs, else how it ended."""
    template = "{{.State.Running}} {{.State.ExitCode}} {{.State.OOMKilled}}"
    ran = docker("inspect", "--format", template, container, check=False)
    if ran.returncode == TIMED_OUT:
        return None  # an engine that is busy says nothing about the container
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
            labels = ".Config.Labels" if kind == "container" else ".Labels"
            template = f'{{{{index {labels} "{OWNER_LABEL}"}}}}'
            owner = docker(kind, "inspect", "--format", template, identity, check=False).stdout.strip()
            if owner and not owner_lives(owner, shared=elsewhere_reason() is not None):
                docker(kind, "rm", *(["--force"] if kind == "container" else []), identity, check=False)
                removed.append(f"{kind} {identity[:12]}")
    return removed
