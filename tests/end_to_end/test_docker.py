"""Docker targets, where an engine answers."""

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from restbench.backends import Outage, make_backend
from restbench.backends.docker import solr_images
from restbench.catalog import Entry, load_catalog
from restbench.containers.engine import OWNER_LABEL, remove_orphans
from restbench.errors import StartError
from restbench.measure.tools import contract_variables, wait_ready
from restbench.results.files import read_folder
from restbench.system.cpus import this_machine
from restbench.system.owners import owner_id
from restbench.system.repository import find_repository
from restbench.targets import Settings
from restbench.targets.docker import DockerRuntime
from restbench.targets.interface import START_SECONDS
from tests.end_to_end.made import command_environment, made_repository, restbench
from tests.end_to_end.test_bench import check_measured

REPOSITORY = find_repository()
pytestmark = [pytest.mark.slow, pytest.mark.docker, pytest.mark.extended, pytest.mark.needs("docker")]


def docker(*words: str) -> str:
    return subprocess.run(["docker", *words], capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.needs("wrk")
def test_a_bench_of_falcon_in_a_container(tmp_path: Path) -> None:
    words = ["bench", "python/falcon", "--profile", "smoke", "--target", "docker", "--out", str(tmp_path)]
    ran = restbench(REPOSITORY, *words, timeout=600)
    assert ran.has_measured, ran.err
    results = read_folder(tmp_path / "results")
    check_measured(results["python/falcon"])
    run = next(iter(results["python/falcon"].runs.values()))
    assert run.target == "docker"
    assert run.size_bytes
    assert run.size_bytes > 50e6
    assert docker("ps", "--all", "--quiet", "--filter", f"label={OWNER_LABEL}={owner_id()}") == ""


def test_a_cache_that_is_gone_still_has_its_name_and_refuses_connections() -> None:
    with make_backend("solr", "docker", REPOSITORY, cpus=None) as backend:
        network = backend.access.network
        assert network is not None

        def connected() -> tuple[int, str]:
            _, cache = solr_images(find_repository())
            command = f"docker run --rm --network {network} {cache.tag} bash -c".split()
            ran = subprocess.run([*command, ": </dev/tcp/cache/8983"], capture_output=True, text=True, check=False)
            return ran.returncode, ran.stderr

        address = backend.front
        with backend.outage(Outage.GONE):
            code, output = connected()
            assert (code, "Connection refused" in output) == (1, True), output
        assert connected() == (0, "")
        assert backend.front == address
    assert docker("ps", "--all", "--quiet", "--filter", f"label={OWNER_LABEL}={owner_id()}") == ""


@pytest.fixture(scope="module")
def falcon() -> Entry:
    return load_catalog(REPOSITORY).entries["python/falcon"]


def test_a_container_is_confined_and_answers_on_its_own_address(falcon: Entry) -> None:
    runtime, cpus = DockerRuntime(REPOSITORY), this_machine()
    runtime.build(falcon)
    assert runtime.build(falcon).cached
    with runtime.target(falcon, Settings(cpus.app, cpus.pinned, contract_variables())) as target:
        wait_ready(target, falcon, falcon.cells(["hello"])[0], random.Random(1))
        name = docker("ps", "--filter", f"label={OWNER_LABEL}={owner_id()}", "--format", "{{.Names}}")
        seen = json.loads(docker("inspect", name))[0]
        host = seen["HostConfig"]
        assert host["ReadonlyRootfs"]
        assert host["CapDrop"] == ["ALL"]
        assert host["PidsLimit"] == 2048
        assert host["Memory"] == 4 * 2**30
        assert host["PortBindings"] in ({}, None)
        assert seen["Config"]["User"] not in ("", "0", "root")
        assert json.loads(docker("network", "inspect", name))[0]["Internal"]
        if cpus.pinned:
            assert host["CpusetCpus"] == ",".join(map(str, cpus.app))
        assert host["CpuShares"] == 0, "the default, which gives every container the same share of a CPU"
        used = target.resources()
        assert 0 < used.cpu_seconds <= target.cpu_seconds()
        assert used.memory_bytes > 10e6
    assert docker("ps", "--all", "--quiet", "--filter", f"name={name}") == ""
    assert docker("network", "ls", "--quiet", "--filter", f"name={name}") == ""


DOCKERFILE = """
FROM python:3.13-slim-trixie
ARG FRAMEWORK
COPY ${FRAMEWORK}/app.py /app.py
USER 65534:65534
CMD ["python", "/app.py"]
"""


def test_an_app_that_listens_on_one_address_is_reported_at_once(tmp_path: Path) -> None:
    """Else a minute would pass without an answer, because the load comes from outside of the container."""
    repository = made_repository(tmp_path, "listens-on-loopback")
    (repository.root / "frameworks/test/Dockerfile").write_text(DOCKERFILE)
    entry = load_catalog(repository).entries["test/listens-on-loopback"]
    runtime = DockerRuntime(repository)
    runtime.build(entry)
    began, message = time.monotonic(), "the app listens on 127.0.0.1, not on 0.0.0.0"
    with runtime.target(entry, Settings(this_machine().app)) as target, pytest.raises(StartError, match=message):
        wait_ready(target, entry, entry.cells(["hello"])[0], random.Random(1))
    assert time.monotonic() - began < START_SECONDS


@pytest.mark.needs("mount")
def test_an_engine_in_another_pid_namespace_is_refused_before_anything_starts() -> None:
    command = [sys.executable, "-m", "restbench", "verify", "python/falcon", "--suite=hello", "--target=docker"]
    apart = ["unshare", "--pid", "--fork", "--mount-proc", *command]
    env = command_environment(REPOSITORY)
    ran = subprocess.run(apart, env=env, capture_output=True, text=True, check=False, timeout=60)
    assert (ran.returncode, ran.stdout) == (3, "")
    assert "cannot be measured from here, as it is in another PID namespace" in ran.stderr


def test_containers_of_a_dead_harness_are_removed_and_others_are_not(falcon: Entry) -> None:
    DockerRuntime(REPOSITORY).build(falcon)
    boot, namespace, pid, started = owner_id().split(".")
    dead = f"{boot}.{namespace}.{pid}.{int(started) - 1000}"
    names = {"dead": f"restbench-test-dead-{os.getpid()}", "mine": f"restbench-test-mine-{os.getpid()}"}
    for owner, name in ((dead, names["dead"]), (owner_id(), names["mine"])):
        docker("network", "create", "--internal", "--label", f"{OWNER_LABEL}={owner}", name)
        image = "restbench/python-falcon"
        docker("create", "--name", name, "--network", name, "--label", f"{OWNER_LABEL}={owner}", image)
    try:
        remove_orphans()  # unless a command of a test beside this one was faster
        ours = ("--filter", "name=restbench-test", "--format")
        assert docker("ps", "--all", *ours, "{{.Names}}") == names["mine"]
        assert docker("network", "ls", *ours, "{{.Name}}") == names["mine"]
    finally:
        subprocess.run(["docker", "rm", "--force", *names.values()], capture_output=True, check=False)
        subprocess.run(["docker", "network", "rm", *names.values()], capture_output=True, check=False)
