"""Solr and the cache as containers on a network of their own. Apps are connected to this network."""

import contextlib
import os
import subprocess
from contextlib import ExitStack

from restbench.backends import programs
from restbench.backends.numbers import Numbers
from restbench.backends.solr import Access, Backend, Service
from restbench.containers import engine
from restbench.containers.cgroups import Cgroup
from restbench.containers.engine import LIMITS, docker, failure_reason, owner_label
from restbench.containers.images import Image
from restbench.containers.running import Container, UnprovenError
from restbench.errors import BackendError
from restbench.system.cpus import cpu_list
from restbench.system.files import files_hash
from restbench.system.owners import unique_name
from restbench.system.processes import GRACE_SECONDS
from restbench.system.repository import Repository
from restbench.system.resource_use import Resources

PORT = 8983
_WORK = "/tmp/varnish"  # noqa: S108 - the only place that a container can write to
_BUILD_SECONDS = 1200.0


class DockerService(Service):
    """A program as a container that is known by `alias` on its network.

    A second container, which only sleeps, has the name and the address. The program runs in its network namespace.
    When the program is stopped, its port refuses connections, as the port of a stopped native program does. Without
    the second container the name would be gone too. Apps would then wait as long as the machine's resolver decides.
    """

    def __init__(self, title: str, alias: str, argv: list[str], network: str, cpus: tuple[int, ...] | None) -> None:
        self.title = title
        self._alias = alias
        self._argv = argv
        self._network = network
        self._cpus = cpus
        self._name = f"{network}-{alias}"
        self._address = f"{self._name}-address"
        self._made = False
        self._cgroup: Cgroup | None = None

    def start(self) -> None:
        try:
            if not self._made:
                self._make()
            docker("start", self._name)
            self.url = f"http://{Container.named(self._address).address(self._network)}:{PORT}"
            self._cgroup = Container.named(self._name).cgroup()
        except UnprovenError as error:
            why = f"it {ended}" if (ended := self.exit_reason()) else str(error)
            raise BackendError(f"{self.title}'s container cannot start: {why}", self.log_tail()) from error
        except (subprocess.SubprocessError, OSError) as error:
            raise BackendError(f"{self.title}'s container cannot start: {failure_reason(error)}") from error

    def _make(self) -> None:
        named = (f"--network={self._network}", f"--network-alias={self._alias}")
        common = (*LIMITS, "--label", owner_label())
        sleeping = ("--detach", "--name", self._address, *common, *named, _tag(self._alias), "sleep", "infinity")
        docker("run", "--pull=never", *sleeping)
        options = ["--tmpfs=/tmp:exec"]  # Varnish compiles its configuration into /tmp, and loads it from there
        if self._cpus is not None:
            options.append(f"--cpuset-cpus={cpu_list(self._cpus)}")
        joined = f"--network=container:{self._address}"
        options += [joined, _tag(self._alias), *self._argv]
        docker("create", "--pull=never", "--name", self._name, *common, *options)
        self._made = True

    def stop(self) -> None:
        engine.stop(self._name, GRACE_SECONDS)

    def remove(self) -> None:
        """Removes both containers. The program cannot be started again."""
        engine.remove([self._name, self._address])

    def pause(self) -> None:
        _run_docker("pause", self._name)

    def resume(self) -> None:
        _run_docker("unpause", self._name)

    def run(self, *arguments: str) -> str:
        return _run_docker("exec", self._name, *arguments)

    def resources(self) -> Resources:
        with contextlib.suppress(OSError):  # the container has ended, and its cgroup with it
            if self._cgroup:
                return Resources(self._cgroup.cpu_seconds(), self._cgroup.memory_bytes())
        return Resources(0.0, 0)

    def exit_reason(self) -> str | None:
        return engine.exit_reason(self._name) if self._made else None

    def log_tail(self, lines: int = 20) -> str:
        return engine.log_tail(self._name, lines)


def _run_docker(*arguments: str) -> str:
    """Runs a docker command and returns its output. Raises BackendError when it fails."""
    try:
        return docker(*arguments).stdout
    except subprocess.SubprocessError as error:
        raise BackendError(f"docker {' '.join(arguments)} failed: {failure_reason(error)}") from error


def solr_images(repository: Repository) -> list[Image]:
    """Returns the images of Solr and of the cache."""
    folder = repository.fixtures / "solr"
    # the documents are loaded into a Solr that runs, so they are in no image
    files = files_hash(
        [folder / "Dockerfile", *(folder / "home").rglob("*"), *(folder / "launcher").rglob("*")], folder
    )
    return [Image(_tag(alias), folder, folder / "Dockerfile", files, stage=alias) for alias in ("solr", "cache")]


def _tag(alias: str) -> str:
    return f"restbench/solr-{alias}"


def docker_solr(repository: Repository, cpus: tuple[int, ...] | None) -> Backend:
    """Builds the images and returns Solr and the cache as containers, not yet started.

    Raises BackendError when an image cannot be built, or when there is no network for the containers.
    """
    network = unique_name("solr")
    _build_images(repository)
    solr_argv = programs.solr_command("java", "/solr", "/solr/home", "/tmp", PORT)  # noqa: S108
    numbers = Numbers.drawn()
    configuration = programs.cache_configuration(repository.fixtures, f"solr:{PORT}", numbers)
    cache_argv = programs.cache_command("varnishd", _WORK, f"0.0.0.0:{PORT}", configuration)
    solr = DockerService("Solr", "solr", solr_argv, network, cpus)
    cache = DockerService("Varnish", "cache", cache_argv, network, cpus)
    try:
        # internal: apps and the host can connect to the containers, which can connect to nothing else
        docker("network", "create", "--internal", "--label", owner_label(), network)
    except (subprocess.SubprocessError, OSError) as error:
        raise BackendError(f"no network for Solr's containers: {failure_reason(error)}") from error

    def clean_up() -> None:
        with ExitStack() as each:
            each.callback(engine.remove, [], network)
            each.callback(solr.remove)
            each.callback(cache.remove)

    access = Access({"SOLR_URL": f"http://cache:{PORT}{programs.CORE_PATH}"}, network)
    return Backend(solr, cache, _WORK, access, repository.fixtures, numbers, clean_up)


def _build_images(repository: Repository) -> None:
    for image in solr_images(repository):
        if image.built():
            continue
        try:
            subprocess.run(
                image.build_command(),
                env={**os.environ, "DOCKER_BUILDKIT": "1"},
                capture_output=True,
                encoding="utf-8",
                check=True,
                timeout=_BUILD_SECONDS,
            )
        except (subprocess.SubprocessError, OSError) as error:
            lines = failure_reason(error).splitlines()
            raise BackendError(f"the image of {image.stage} could not be built", "\n".join(lines[-10:])) from error
