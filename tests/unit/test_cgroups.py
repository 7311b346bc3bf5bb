"""Both versions of cgroups are read: v1 where this was written, v2 on hosted runners."""

from pathlib import Path

from restbench.targets.cgroups import container_cgroup


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_version_1_has_a_folder_per_controller(tmp_path: Path) -> None:
    write(tmp_path / "proc/42/cgroup", "5:memory:/docker/abc\n2:cpu,cpuacct:/docker/abc\n1:name=systemd:/docker/abc\n")
    write(tmp_path / "fs/cpu,cpuacct/docker/abc/cpuacct.usage", "2500000000\n")
    write(tmp_path / "fs/memory/docker/abc/memory.stat", "cache 900\ntotal_rss 4096\ntotal_mapped_file 1024\n")
    cgroup = container_cgroup(42, tmp_path / "proc", tmp_path / "fs")
    assert cgroup.cpu_seconds() == 2.5
    assert cgroup.memory_bytes() == 5120


def test_version_2_has_one_folder(tmp_path: Path) -> None:
    write(tmp_path / "proc/42/cgroup", "0::/system.slice/docker-abc.scope\n")
    folder = tmp_path / "fs/system.slice/docker-abc.scope"
    write(folder / "cpu.stat", "usage_usec 2500000\nuser_usec 2000000\nsystem_usec 500000\n")
    write(folder / "memory.stat", "anon 4096\nfile 9000\nfile_mapped 1024\n")
    cgroup = container_cgroup(42, tmp_path / "proc", tmp_path / "fs")
    assert cgroup.cpu_seconds() == 2.5
    assert cgroup.memory_bytes() == 5120
