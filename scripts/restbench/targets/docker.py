"""Entries as containers with a CPU set, limits, no capabilities, a read-only root and a network without a way out."""

import contextlib
import hashlib
import os
import re
import subprocess
import tarfile
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import httpx

from restbench.catalog import Entry
from restbench.catalog.manifests import REMOTE
from restbench.containers import engine
from restbench.containers.cgroups import Cgroup, Freezer, can_freeze
from restbench.containers.engine import LIMITS, docker, failure_reason, owner_label
from restbench.containers.images import Image
from restbench.containers.running import Container, UnprovenError
from restbench.errors import AppDiedError, BuildError, EntryError, MachineError, StartError, UnwritableError, UsageError
from restbench.system.advice import option
from restbench.system.cpus import cpu_list
from restbench.system.files import write_atomically
from restbench.system.limits import open_files
from restbench.system.owners import unique_name
from restbench.system.ports import only_address
from restbench.system.processes import GRACE_SECONDS
from restbench.system.quotas import throttled_periods
from restbench.system.repository import Repository
from restbench.system.resource_use import Resources
from restbench.targets.building import failure, room_for, run_build
from restbench.targets.interface import Build, Runtime, Settings, Target, facts_output, noted_seconds
from restbench.targets.links import NetworkLink, as_root, container_link, container_link_unavailable_reason

PORT = 8080


class DockerRuntime(Runtime):
    """Builds images and runs them. An image comes from the entry's own Dockerfile, else from the language's."""

    name = "docker"

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    def unavailable_reason(self, entry: Entry) -> str | None:
        return None

    def is_built(self, entry: Entry) -> bool:
        return entry.dockerfile().is_file() and image_of(entry).built() is not None

    def build(self, entry: Entry) -> Build:
        if not entry.dockerfile().is_file():
            missing = self._repository.relative(entry.language.dockerfile)
            raise BuildError(f"{entry.id}: there is no {missing}: write it")
        image = image_of(entry)
        noted = self._note(entry, "seconds")
        log = noted.with_suffix(".log")
        if image.built():
            return Build(noted_seconds(noted), cached=True)
        began = time.monotonic()
        what = f"the image could not be built; its log is {self._repository.relative(log)}"
        with room_for(entry):
            log.parent.mkdir(parents=True, exist_ok=True)
            with log.open("wb") as out:
                env = {**os.environ, "DOCKER_BUILDKIT": "1"}
                run_build(entry, image.build_command(), env, log, out, cwd=None, what=what)
            if image.built() is None:
                raise failure(entry, what, log)
            seconds = time.monotonic() - began
            noted.write_text(f"{seconds:.1f}\n", encoding="utf-8")
        return Build(seconds, cached=False)

    def size_bytes(self, entry: Entry) -> int:
        image, noted = image_of(entry), self._note(entry, "size")
        try:
            built = image.built() or {"Id": None}
            with contextlib.suppress(OSError, ValueError):
                of_image, size = noted.read_text(encoding="utf-8").split()
                if of_image == built["Id"]:
                    return int(size)
            size_bytes = image.files_bytes()
            with contextlib.suppress(UnwritableError):  # without the note the next run reads the image again
                write_atomically(noted, f"{built['Id']} {size_bytes}\n".encode())
        except (subprocess.SubprocessError, OSError, tarfile.TarError) as error:
            raise EntryError(f"{entry.id}: the image could not be read: {failure_reason(error)}") from error
        return size_bytes

    def _note(self, entry: Entry, what: str) -> Path:
        """Returns the file in which something of the entry's image is noted."""
        return self._repository.state / "logs" / entry.language.name / f"{entry.place}.image.{what}"

    def run_facts(self, entry: Entry, command: list[str]) -> str:
        run = ["docker", "run", "--rm", "--pull=never", "--network=none", "--label", owner_label(), image_tag(entry)]
        return facts_output(entry, [*run, *_words(entry, command)])

    def link_unavailable_reason(self) -> str | None:
        return container_link_unavailable_reason()

    def freezing_unavailable_reason(self) -> str | None:
        if can_freeze():
            return None
        remedy = f"run on Linux 5.2 or newer, or use {option('target', 'native')}"
        return f"other apps are not frozen while one is loaded, as this kernel has no freezer of cgroups: {remedy}"

    def target(self, entry: Entry, settings: Settings) -> "DockerTarget":
        return DockerTarget(entry, settings, self._repository.fixtures)


def _words(entry: Entry, command: list[str]) -> list[str]:
    """Replaces the placeholders in a command that runs in a container."""
    package = entry.manifest.package.partition(":")[2]
    return [word.format(env="/env", language="/app", entry="/app/entry", package=package, pid=1) for word in command]


def image_tag(entry: Entry) -> str:
    """Returns the tag of the entry's image."""
    return f"restbench/{entry.language.name}-{entry.name}:{entry.revision or 'latest'}".lower()


def image_of(entry: Entry) -> Image:
    """Returns the image of the entry. Its Dockerfile gets the entry's folder, and that of its code if it is another.

    It also gets the server of packages that the user names.
    """
    code = {"CODE": entry.manifest.code_from} if entry.manifest.code_from else {}
    remote = remote_of(entry)
    server = {remote.variable: remote.named} if remote and remote.named else {}
    return Image(
        tag=image_tag(entry),
        context=entry.language.folder,
        dockerfile=entry.dockerfile(),
        files=f"{entry.files_hash()}-{hashlib.sha256(entry.dockerfile().read_bytes()).hexdigest()[:12]}",
        arguments={"FRAMEWORK": entry.name, **code, **server},
    )


class DockerTarget(Target):
    """One app as a container on a network of its own. Load is sent to the container's own address."""

    def __init__(self, entry: Entry, settings: Settings, fixtures: Path) -> None:
        self._entry = entry
        self._settings = settings
        self._fixtures = fixtures
        self._name = unique_name(f"{entry.language.name}-{entry.place.replace('@', '-')}".lower())
        self._cgroup: Cgroup | None = None
        self._freezer: Freezer | None = None
        self._frozen = False
        self._pid = 0

    def __enter__(self) -> Self:
        owner = owner_label()
        try:
            # internal: the host can connect to the container, which can connect to nothing else
            docker("network", "create", "--internal", "--label", owner, self._name)
            named = ("--name", self._name, "--label", owner, *self._options(), image_tag(self._entry))
            docker("create", "--pull=never", *named)
            if self._settings.network:
                docker("network", "connect", self._settings.network, self._name)
            docker("start", self._name)
            container = Container.named(self._name)
            self._pid = container.pid
            self.base_url, self._cgroup = f"http://{container.address(self._name)}:{PORT}", container.cgroup()
            self._freezer = _usable(self._cgroup.freezer)
        except UnprovenError as error:
            raise self._unproven(str(error)) from error
        except (subprocess.SubprocessError, OSError) as error:
            log = self.log_tail()
            self._remove()
            message = f"{self._entry.id}: the container could not be started: {failure_reason(error)}"
            raise (MachineError if engine.failed(error) else StartError)(message, log) from error
        except BaseException:
            self._remove()
            raise
        return self

    def _unproven(self, why: str) -> StartError | MachineError:
        """Removes the container. Returns the error: that of an app that ended before it was looked at, or `why`."""
        ended, log = self.how_it_ended(), self.log_tail()
        self._remove()
        if ended:
            return StartError(f"{self._entry.id}: the app {ended} before it answered", log)
        return MachineError(f"{self._entry.id}: {why}")

    def _options(self) -> list[str]:
        variables = {"PORT": str(PORT), **self._settings.environment}
        # programs in /tmp may be run, as they may natively: some libraries unpack native code there
        options = [*LIMITS, f"--memory={self._settings.memory_bytes}", "--tmpfs=/tmp:exec", f"--network={self._name}"]
        options.append(f"--ulimit=nofile={open_files()}")  # some engines allow 1,024 by themselves, others any number
        options.append(f"--volume={self._fixtures}:/fixtures:ro")
        options += [f"--env={name}={value}" for name, value in variables.items()]
        if self._settings.pinned:
            options.append(f"--cpuset-cpus={cpu_list(self._settings.cpus)}")
        return options

    def __exit__(self, *raised: object) -> None:
        try:
            self.thaw()  # a frozen process gets SIGTERM only when it goes on
            engine.stop(self._name, GRACE_SECONDS)
        finally:
            self._remove()

    def _remove(self) -> None:
        engine.remove([self._name], self._name)

    def freeze(self) -> None:
        if not can_freeze():
            return
        self._frozen = True  # before it is, as Ctrl-C may come at any moment
        try:
            if self._freezer:
                self._freezer.freeze()
            else:
                docker("pause", self._name)
        except (subprocess.SubprocessError, OSError) as error:
            if not self.exit_reason():
                raise MachineError(f"{self._entry.id}: the app cannot be frozen: {failure_reason(error)}") from error

    def thaw(self) -> None:
        if not self._frozen:
            return
        if self._freezer:
            with contextlib.suppress(OSError):  # the app has ended
                self._freezer.thaw()
        else:
            docker("unpause", self._name, check=False)
        self._frozen = False

    def link(self, delay_ms: float) -> AbstractContextManager[NetworkLink]:
        return container_link(self.base_url, delay_ms, self._process)

    def _process(self) -> int | None:
        """Returns the PID of the container's first process, None where it has ended: others may have its PID then."""
        return self._pid if self._cgroup and self._cgroup.has(self._pid) else None

    def cpu_seconds(self) -> float:
        with self._cgroup_read() as cgroup:
            return cgroup.cpu_seconds()

    def resources(self) -> Resources:
        with self._cgroup_read() as cgroup:
            return Resources(cgroup.cpu_seconds(), cgroup.memory_bytes())

    @contextlib.contextmanager
    def _cgroup_read(self) -> Iterator[Cgroup]:
        """Yields the container's cgroup. Raises AppDiedError when it is gone, or vanishes while it is read."""
        try:
            if self._cgroup is None:
                raise FileNotFoundError(self._name)
            yield self._cgroup
        except OSError as error:
            reason = self.exit_reason() or "is gone"
            raise AppDiedError(f"{self._entry.id}: the app {reason}", self.log_tail()) from error

    def throttled_periods(self) -> int:
        return throttled_periods(self._pid)

    def exit_reason(self) -> str | None:
        return engine.exit_reason(self._name)

    def only_address(self) -> str | None:
        process = self._process()
        return only_address(PORT, process) if process else None

    def run_beside(self, command: list[str], variables: Mapping[str, str] | None = None) -> str:
        environment = [f"--env={name}={value}" for name, value in (variables or {}).items()]
        return facts_output(self._entry, ["docker", "exec", *environment, self._name, *_words(self._entry, command)])

    def log_tail(self, lines: int = 20) -> str:
        return engine.log_tail(self._name, lines)

    @property
    def log_command(self) -> str:
        return f"docker logs --follow {self._name}"


def _usable(freezer: Freezer | None) -> Freezer | None:
    """Returns the freezer of a container, which this user may use from now on, None where only the engine may.

    A write takes less than a millisecond, and a command to the engine some twenty.
    """
    if freezer and not os.access(freezer.switch, os.W_OK):
        with contextlib.suppress(OSError):
            chown = [*as_root(), "chown", str(os.geteuid()), str(freezer.switch)]
            subprocess.run(chown, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return freezer if freezer and os.access(freezer.switch, os.W_OK) else None


_PATIENCE_SECONDS = 5.0


@dataclass(frozen=True)
class PackageServer:
    """A server of packages. `named`: NAME=URL from the user's environment, None where `usual` is used."""

    title: str
    variable: str
    usual: str
    named: str | None

    @property
    def address(self) -> str:
        """Its NAME=URL."""
        return self.named or self.usual

    def unreachable_reason(self) -> str | None:
        """Asks the server. Returns why it cannot be used, in one clause with the remedy, or None."""
        remedy = f"name another with {self.variable}=NAME=URL"
        try:
            answer = httpx.get(self.address.partition("=")[2], timeout=_PATIENCE_SECONDS, follow_redirects=True)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            return f"cannot be reached ({str(error) or type(error).__name__}): {remedy}"
        return f"answers {answer.status_code}: {remedy}" if answer.is_server_error else None


def remote_of(entry: Entry) -> PackageServer | None:
    """Returns the server of an entry's package manager; None where nobody can name another.

    Raises UsageError where the user's variable is not NAME=URL.
    """
    language = entry.language.manifest
    manager = language.package_managers.get(language.registry)
    if manager is None or manager.remote is None:
        return None
    remote = manager.remote
    named = os.environ.get(remote.variable) or None
    if named and not re.match(REMOTE, named):
        raise UsageError(f"{remote.variable} is {named!r}: write NAME=URL, such as {remote.default}")
    return PackageServer(remote.title, remote.variable, remote.default, named)
