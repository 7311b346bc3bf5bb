"""Nothing is read of a process or a cgroup that is not proven to be the container's, whatever engine runs it."""

import json
import os
import platform
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from restbench.backends.docker import DockerService
from restbench.catalog import load_catalog
from restbench.cli import run
from restbench.commands import prepare as prepare_command
from restbench.containers import engine, running
from restbench.containers.cgroups import container_cgroup
from restbench.containers.running import Container, UnprovenError
from restbench.errors import BackendError, MachineError, MissingToolError, StartError
from restbench.system.owners import owner_id
from restbench.system.repository import find_repository
from restbench.targets import Settings, choose_runtime
from restbench.targets.docker import DockerTarget
from tests.made.machines import plant
from tests.made.programs import a_program

ID = "c962cd5de6e68415652cdff53fb6352bd3074d688f5a16a62d5808f2b1ca3d48"
OTHER = "0f3a5d61c76d545de4815ac66e344da0b8b0684fdd2d1a808e7c7b2981a6975b"
PID = 4242

CPU_STAT = """\
usage_usec 2500000
user_usec 2000000
system_usec 500000
nr_periods 0
nr_throttled 0
throttled_usec 0
"""
"""Of Linux 5.4."""

NEWER_CPU_STAT = """\
usage_usec 2500000
user_usec 2000000
system_usec 500000
nice_usec 0
core_sched.force_idle_usec 0
nr_periods 0
nr_throttled 0
throttled_usec 0
nr_bursts 0
burst_usec 0
"""
"""Of Linux 6.x."""

CPU_STAT_WITHOUT_CONTROLLER = "".join(CPU_STAT.splitlines(keepends=True)[:3])

MEMORY_STAT = """\
anon 4096
file 901120
kernel_stack 36864
slab 540672
sock 0
shmem 0
file_mapped 1024
file_dirty 0
anon_thp 0
pgfault 3102
"""
"""Of Linux 5.4, with some of its lines."""

NEWER_MEMORY_STAT = """\
anon 4096
file 901120
kernel 708608
kernel_stack 36864
pagetables 45056
sec_pagetables 0
percpu 1152
sock 0
vmalloc 0
shmem 0
zswap 0
file_mapped 1024
file_dirty 0
anon_thp 0
slab 540672
pgfault 3102
zswpin 0
hugetlb 0
"""
"""Of Linux 6.x, with some of its lines."""

MEMORY_STAT_V1 = """\
cache 901120
rss 2048
mapped_file 512
hierarchical_memory_limit 9223372036854771712
total_cache 901120
total_rss 4096
total_mapped_file 1024
"""


def v1(cgroup: str, cpu: str = "cpu,cpuacct", memory: str = "memory") -> dict[str, str]:
    """A cgroup of version 1, in both hierarchies. systemd has a hierarchy of its own, and so has version 2."""
    procs = {
        f"sys/fs/cgroup/{mount}{cgroup}/cgroup.procs": f"{PID}\n{PID + 1}\n"
        for mount in (cpu, memory, "systemd", "unified")
    }
    return procs | {
        f"sys/fs/cgroup/{cpu}{cgroup}/cpuacct.usage": "2500000000\n",
        f"sys/fs/cgroup/{memory}{cgroup}/memory.stat": MEMORY_STAT_V1,
    }


def v2(cgroup: str, cpu: str = CPU_STAT, memory: str = MEMORY_STAT, processes: str = "") -> dict[str, str]:
    """A cgroup of version 2, whose processes are in the cgroup `processes` below it."""
    top = f"sys/fs/cgroup{cgroup}"
    return {
        "sys/fs/cgroup/cgroup.controllers": "cpuset cpu io memory pids\n",
        f"{top}/cgroup.procs": "" if processes else f"{PID}\n",
        f"{top}{processes}/cgroup.procs": f"{PID}\n",
        f"{top}/cpu.stat": cpu,
        f"{top}/memory.stat": memory,
    }


CONMON = {f"sys/fs/cgroup/machine.slice/libpod-conmon-{ID}.scope/cgroup.procs": f"{PID - 1}\n"}
"""podman's monitor of a container, whose cgroup has the id in its name, too."""

MACHINES: dict[str, dict[str, str]] = {
    "docker, cgroupfs, v1": v1(f"/docker/{ID}"),
    "docker, cgroupfs, v1, one hierarchy for each controller": v1(f"/docker/{ID}", cpu="cpuacct"),
    "docker, systemd, v1": v1(f"/system.slice/docker-{ID}.scope"),
    "docker, cgroupfs, v2": v2(f"/docker/{ID}"),
    "docker, systemd, v2, Linux 5.4": v2(f"/system.slice/docker-{ID}.scope"),
    "docker, systemd, v2, Linux 6": v2(f"/system.slice/docker-{ID}.scope", NEWER_CPU_STAT, NEWER_MEMORY_STAT),
    "docker, v2, without the controller cpu": v2(f"/system.slice/docker-{ID}.scope", CPU_STAT_WITHOUT_CONTROLLER),
    "docker, rootless, systemd, v2": v2(
        f"/user.slice/user-1000.slice/user@1000.service/user.slice/docker-{ID}.scope", NEWER_CPU_STAT
    ),
    "podman as root": v2(f"/machine.slice/libpod-{ID}.scope", processes="/container") | CONMON,
    "podman as root, cgroupfs, v1": v1(f"/libpod_parent/libpod-{ID}"),
    "cri-o": v2(f"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod7f.slice/crio-{ID}.scope"),
    "containerd of Kubernetes": v2(f"/kubepods.slice/kubepods-pod7f.slice/cri-containerd-{ID}.scope"),
    "kubelet with cgroupfs, v1": v1(f"/kubepods/besteffort/pod7f3c/{ID}"),
    "an engine in a container": v1(f"/docker/{OTHER}/docker/{ID}"),
    "an engine in a container that moves its processes down": v2(f"/docker/{OTHER}/docker/{ID}", processes="/init"),
    # with a cgroup namespace /proc/PID/cgroup is 0::/../docker-ID.scope, which is no path here
    "a harness in a container with the machine's PIDs and cgroups": v2(f"/system.slice/docker-{ID}.scope")
    | {f"proc/{PID}/cgroup": f"0::/../docker-{ID}.scope\n"},
}


@pytest.mark.parametrize("machine", MACHINES)
def test_the_cgroup_of_a_container_is_found_by_its_id_and_its_process(machine: str, tmp_path: Path) -> None:
    cgroup = container_cgroup(ID, PID, plant(tmp_path, MACHINES[machine]))
    assert cgroup
    assert cgroup.counts_memory()
    assert cgroup.has(PID)
    assert (cgroup.cpu_seconds(), cgroup.memory_bytes()) == (2.5, 5120)


STRANGERS: dict[str, tuple[dict[str, str], int]] = {
    "an engine in another PID namespace: its PID is a stranger's here": (v1(f"/docker/{ID}"), PID + 7),
    "the same with version 2": (v2(f"/system.slice/docker-{ID}.scope"), PID + 7),
    "an engine in a virtual machine: no cgroup has the id": (v2(f"/system.slice/docker-{OTHER}.scope"), PID),
    "mounts that begin at the harness's own cgroup": (v1(""), PID),
    "a container that does not run has the PID 0": (v1(f"/docker/{ID}") | {}, 0),
    "processes of another PID namespace are listed as 0": (
        v2(f"/docker/{ID}") | {f"sys/fs/cgroup/docker/{ID}/cgroup.procs": "0\n0\n"},
        0,
    ),
    "a kernel without cgroups": ({"proc/self/stat": ""}, PID),
    "a cgroup in one hierarchy only": (
        {f"sys/fs/cgroup/cpuacct/docker/{ID}/cgroup.procs": f"{PID}\n", "sys/fs/cgroup/memory/cgroup.procs": ""},
        PID,
    ),
}


@pytest.mark.parametrize("machine", STRANGERS)
def test_what_is_not_proven_is_not_read(machine: str, tmp_path: Path) -> None:
    files, pid = STRANGERS[machine]
    assert container_cgroup(ID, pid, plant(tmp_path, files)) is None


def test_a_process_that_ended_is_no_longer_the_containers(tmp_path: Path) -> None:
    cgroup = container_cgroup(ID, PID, plant(tmp_path, v2(f"/docker/{ID}")))
    assert cgroup
    (cgroup.cpu / "cgroup.procs").write_text("")
    assert not cgroup.has(PID)


def inspected(address: str = "127.0.0.1", prefix: int = 8, pid: int = PID, **state: Any) -> dict[str, Any]:
    """A part of what `docker inspect` answers about a container on the network "net"."""
    return {
        "Id": ID,
        "State": {"Status": "running", "Running": True, "Pid": pid, **state},
        "NetworkSettings": {"Networks": {"net": {"IPAddress": address, "IPPrefixLen": prefix}}},
    }


def test_an_address_is_used_only_where_this_machine_is_on_its_network() -> None:
    assert Container(inspected()).address("net") == "127.0.0.1"
    for answer in (
        inspected(""),
        inspected("203.0.113.7", 24),
        inspected("203.0.113.7", 0),
        inspected("10.88.0.4", 32),
        inspected("2001:db8::7", 64),
        inspected() | {"NetworkSettings": {"Networks": {}}},
    ):
        with pytest.raises(UnprovenError, match="cannot be measured from here"):
            Container(answer).address("net")


def test_a_container_that_ended_has_no_process() -> None:
    assert Container(inspected(pid=0, Running=False)).pid == 0
    assert Container(inspected(Running=False)).pid == 0, "some engines keep the last PID"
    assert Container(inspected()).pid == PID


def test_a_kernel_that_counts_no_memory_is_the_machines_fault(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    files = v2(f"/docker/{ID}")
    del files[f"sys/fs/cgroup/docker/{ID}/memory.stat"]
    cgroup = container_cgroup(ID, PID, plant(tmp_path, files))
    monkeypatch.setattr(running, "container_cgroup", lambda *_: cgroup)
    with pytest.raises(UnprovenError, match="add cgroup_enable=memory to its command line"):
        Container(inspected()).cgroup()


@dataclass
class StubEngine:
    """A docker command that answers what is in files, and writes down what it was asked."""

    folder: Path

    def answers(self, question: str, answer: object) -> None:
        (self.folder / question).write_text(answer if isinstance(answer, str) else json.dumps(answer))

    @property
    def asked(self) -> list[str]:
        return (self.folder / "asked").read_text().splitlines()

    def says(self, endpoint: str | None = None, **info: object) -> None:
        """What it says of itself. It is asked anew."""
        engine.elsewhere_reason.cache_clear()
        if endpoint is not None:
            self.answers("context", f"{endpoint}\n")
        ordinary = {
            "ServerVersion": "29.0.1",
            "OperatingSystem": "Debian GNU/Linux 13 (trixie)",
            "KernelVersion": platform.release(),
            "SecurityOptions": ["name=seccomp,profile=builtin", "name=cgroupns"],
        }
        self.answers("info", {**ordinary, **info})


@pytest.fixture
def stub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StubEngine]:
    """An engine on this machine, which answers."""
    folder = tmp_path / "engine"
    a_program(folder / "bin/docker", f'cd {folder}; echo "$*" >>asked; [ -f "$1" ] && cat "$1"')
    monkeypatch.setenv("PATH", f"{folder}/bin:{os.environ['PATH']}")
    made = StubEngine(folder)
    for question, answer in {"version": "29.0.1\n", "network": "", "create": "", "run": "", "start": ""}.items():
        made.answers(question, answer)
    made.says(endpoint="unix:///var/run/docker.sock")
    yield made
    engine.elsewhere_reason.cache_clear()


ELSEWHERE: Mapping[str, tuple[dict[str, Any], str]] = {
    "TCP": ({"endpoint": "tcp://docker:2375"}, "it is at tcp://docker:2375, which is no socket of this machine"),
    "SSH": ({"endpoint": "ssh://bench@host"}, "it is at ssh://bench@host, which is no socket of this machine"),
    "Docker Desktop": ({"OperatingSystem": "Docker Desktop"}, "Docker Desktop runs it in a virtual machine"),
    "a virtual machine": (
        {"KernelVersion": "6.6.87-lima"},
        f"its kernel is 6.6.87-lima and this one is {platform.release()}",
    ),
    "rootless": (
        {"SecurityOptions": ["name=seccomp,profile=builtin", "name=rootless", "name=cgroupns"]},
        "it is rootless, and containers have addresses in a network namespace of its own",
    ),
}


@pytest.mark.parametrize("kind", ELSEWHERE)
def test_an_engine_elsewhere_is_noticed_before_anything_is_built(kind: str, stub: StubEngine) -> None:
    told, why = ELSEWHERE[kind]
    stub.says(**told)
    assert engine.elsewhere_reason() == (
        f"this engine's containers cannot be measured from here, as {why}: "
        "run restbench where the engine runs, or use --target native"
    )


@pytest.mark.parametrize(
    ("peer", "elsewhere"),
    [(0, True), (1 << 22, False), (None, False), (os.getpid(), False)],
    ids=["of another namespace", "of nobody", "not known", "of this process"],
)
def test_who_listens_on_the_socket_is_in_this_pid_namespace(
    peer: int | None, elsewhere: bool, stub: StubEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "_peer", lambda _path: peer)
    stub.says()
    assert ("another PID namespace" in (engine.elsewhere_reason() or "")) == elsewhere


def test_a_docker_command_that_cannot_run_is_no_engine(stub: StubEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert engine.docker_unavailable_reason() is None
    monkeypatch.setenv("PATH", str(stub.folder / "bin"))
    (stub.folder / "bin/docker").write_bytes(b"\x7fELF of another architecture")
    assert engine.docker_unavailable_reason() == "docker cannot run: Exec format error"


def test_an_engine_on_this_machine_is_asked_once(stub: StubEngine) -> None:
    assert engine.elsewhere_reason() is None
    assert engine.elsewhere_reason() is None
    assert [line.split()[0] for line in stub.asked] == ["context", "info"]


@pytest.mark.parametrize("info", ["{}", "null", "[]", "", "Error: no such field", '{"SecurityOptions": null}'])
def test_an_engine_that_tells_nothing_is_judged_by_its_containers(info: str, stub: StubEngine) -> None:
    stub.says()
    (stub.folder / "context").unlink()  # podman's docker has no contexts
    stub.answers("info", info)
    assert engine.elsewhere_reason() is None


def test_docker_is_refused_where_apps_are_started_and_auto_takes_this_machine(
    stub: StubEngine, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    nginx = load_catalog(find_repository()).entries["reference/nginx"]
    lacking = replace(nginx, language=replace(nginx.language, folder=tmp_path))
    lacking.language.dockerfile.touch()
    stub.says(OperatingSystem="Docker Desktop")
    with pytest.raises(MissingToolError, match="Docker Desktop runs it in a virtual machine: run restbench where"):
        choose_runtime("docker", [lacking], find_repository())
    assert choose_runtime("docker", [lacking], find_repository(), starts=False).name == "docker"
    assert capsys.readouterr().err == ""
    assert choose_runtime("native", [lacking], find_repository()).name == "native"


@pytest.mark.parametrize(
    "words", [["verify"], ["bench"], ["compare", "main"], ["prepare"], ["serve"]], ids=lambda words: words[0]
)
def test_every_command_that_starts_apps_refuses_in_one_line(
    words: list[str], stub: StubEngine, capsys: pytest.CaptureFixture[str]
) -> None:
    stub.says("tcp://10.0.0.7:2376")
    assert run([*words, "python/falcon", "--target=docker"]) == 3
    said = capsys.readouterr()
    assert said.out == ""
    (line,) = said.err.splitlines()
    assert line.startswith("this engine's containers cannot be measured from here, as it is at tcp://10.0.0.7:2376")
    assert {asked.split()[0] for asked in stub.asked} == {"version", "context", "info"}


def test_auto_prepares_for_this_machine_where_the_engine_is_elsewhere(
    stub: StubEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prepare_command, "images_help", lambda _entries: True)
    catalog = load_catalog(find_repository())
    monkeypatch.setattr(prepare_command, "needs_of_entries", lambda *_: {"python/falcon": ["a tool"]})
    monkeypatch.setattr(prepare_command, "packages_of", lambda _tools: ["a-package"])
    entries = [catalog.entries["python/falcon"]]
    assert "python/falcon" not in prepare_command._needs(find_repository(), catalog, entries, ["hello"], "auto")
    stub.says(OperatingSystem="Docker Desktop")
    assert "python/falcon" in prepare_command._needs(find_repository(), catalog, entries, ["hello"], "auto")


def the_target(monkeypatch: pytest.MonkeyPatch, container: dict[str, Any]) -> DockerTarget:
    """An app in a container that the engine describes so."""
    entry = load_catalog(find_repository()).entries["python/falcon"]
    target = DockerTarget(entry, Settings(cpus=(0,)), find_repository().fixtures)
    networks = container["NetworkSettings"]["Networks"]
    networks[target._name] = networks.pop("net")
    return target


def test_a_container_that_is_not_proven_is_the_machines_fault_and_is_removed(
    stub: StubEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine's PID is that of a stranger here: this very process."""
    monkeypatch.setattr("restbench.targets.interface.ENDING_SECONDS", 0.1)
    container = inspected(pid=os.getpid())
    target = the_target(monkeypatch, container)
    stub.answers("inspect", [container])
    monkeypatch.setattr(engine, "exit_reason", lambda _name: None)
    with pytest.raises(MachineError) as raised, target:
        raise AssertionError("it was started")
    assert raised.value.message == (
        "python/falcon: this engine's containers cannot be measured from here, as it is in another PID namespace or in "
        "a virtual machine: run restbench where the engine runs, or use --target native"
    )
    assert raised.value.exit_code == 3
    assert f"rm --force --volumes {target._name}" in stub.asked
    assert target.only_address() is None, "nobody's sockets are looked at"


def test_a_container_that_ended_at_once_is_the_apps_fault(stub: StubEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    container = inspected(address="", pid=0, Running=False, ExitCode=3)
    target = the_target(monkeypatch, container)
    stub.answers("inspect", [container])
    monkeypatch.setattr(engine, "exit_reason", lambda _name: "exited with code 3")
    with pytest.raises(StartError, match="python/falcon: the app exited with code 3 before it answered"), target:
        raise AssertionError("it was started")


def test_a_backend_that_is_not_proven_is_none(stub: StubEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "exit_reason", lambda _name: None)
    stub.answers("inspect", [inspected(pid=os.getpid())])
    solr = DockerService("Solr", "solr", ["java"], "net", None)
    with pytest.raises(BackendError, match=r"Solr's container cannot start: this engine's containers cannot be"):
        solr.start()
    assert (solr.resources().cpu_seconds, solr.resources().memory_bytes) == (0, 0)


@pytest.mark.parametrize("elsewhere", [False, True])
def test_on_an_engine_of_several_machines_only_this_machines_containers_are_removed(
    elsewhere: bool, stub: StubEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    boot, namespace, pid, started = owner_id().split(".")
    owners = {"anotherboot": f"00000000.{namespace}.{pid}.{started}", "dead": f"{boot}.{namespace}.{pid}.1"}
    stub.says(OperatingSystem="Docker Desktop" if elsewhere else "Debian")
    removed: list[str] = []

    def docker(*words: str, **_options: object) -> subprocess.CompletedProcess[str]:
        if words[:2] == ("container", "rm"):
            removed.append(words[-1])
        answer = "\n".join(owners) if words[0] == "ps" else owners.get(words[-1], "")
        return subprocess.CompletedProcess(words, 0, answer, "")

    engine.elsewhere_reason()
    monkeypatch.setattr(engine, "docker", docker)
    engine.remove_orphans()
    assert removed == (["dead"] if elsewhere else ["anotherboot", "dead"])
