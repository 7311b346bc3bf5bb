"""Both versions of cgroups are read, and places for new cgroups are found in both."""

from pathlib import Path

from restbench.containers.cgroups import CgroupParent, container_cgroup, in_root_group, places


def write(path: Path, text: str = "") -> None:
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


def places_in(folder: Path) -> list[CgroupParent]:
    return list(places(folder / "proc", folder / "fs"))


def is_in_root_group(folder: Path) -> bool:
    return in_root_group(folder / "proc", folder / "fs")


def test_in_version_1_a_cgroup_counts_in_one_hierarchy_and_shares_in_the_other(tmp_path: Path) -> None:
    write(tmp_path / "proc/self/cgroup", "3:cpuset:/\n2:cpuacct:/bench\n1:cpu:/\n0::/\n")
    for folder in ("cpu", "cpuacct/bench", "cpuset", "unified"):
        (tmp_path / "fs" / folder).mkdir(parents=True)
    assert places_in(tmp_path) == [
        CgroupParent((tmp_path / "fs/cpuacct/bench", tmp_path / "fs/cpu"), shares=True, version="v1")
    ]


def test_controllers_that_are_mounted_together_are_one_folder(tmp_path: Path) -> None:
    write(tmp_path / "proc/self/cgroup", "2:cpu,cpuacct:/user.slice\n")
    (tmp_path / "fs/cpu,cpuacct/user.slice").mkdir(parents=True)
    (tmp_path / "fs/cpu").symlink_to("cpu,cpuacct")
    assert places_in(tmp_path) == [CgroupParent((tmp_path / "fs/cpu,cpuacct/user.slice",), shares=True, version="v1")]


def test_without_the_controller_for_cpu_a_cgroup_only_counts(tmp_path: Path) -> None:
    write(tmp_path / "proc/self/cgroup", "2:cpuacct:/\n")
    for folder in ("cpuacct", "cpuset"):
        (tmp_path / "fs" / folder).mkdir(parents=True)
    assert places_in(tmp_path) == [CgroupParent((tmp_path / "fs/cpuacct",), shares=False, version="v1")]


def test_in_a_container_a_mount_can_begin_at_the_containers_own_cgroup(tmp_path: Path) -> None:
    write(tmp_path / "proc/self/cgroup", "2:cpuacct:/docker/abc\n1:cpu:/docker/abc\n")
    for folder in ("cpu", "cpuacct"):
        (tmp_path / "fs" / folder).mkdir(parents=True)
    (place,) = places_in(tmp_path)
    assert place.folders == (tmp_path / "fs/cpuacct", tmp_path / "fs/cpu")


def made_version_2(folder: Path, own: str, giving_cpu: tuple[str, ...]) -> None:
    """A hierarchy in which this harness is in one cgroup, and some cgroups give their children the controller."""
    write(folder / "proc/self/cgroup", f"0::/{own}\n")
    for cgroup in (folder / "fs" / own, *(folder / "fs" / own).parents):
        if cgroup.is_relative_to(folder / "fs"):
            name = str(cgroup.relative_to(folder / "fs"))
            write(cgroup / "cgroup.subtree_control", "cpu memory\n" if name in giving_cpu else "memory\n")
            if name != ".":
                write(cgroup / "cgroup.type", "domain\n")


def test_in_version_2_the_closest_cgroup_whose_children_share_cpus_comes_first(tmp_path: Path) -> None:
    made_version_2(tmp_path, "user.slice/app.slice/terminal.scope", (".", "user.slice/app.slice"))
    assert [(place.folders, place.shares) for place in places_in(tmp_path)] == [
        ((tmp_path / "fs/user.slice/app.slice",), True),
        ((tmp_path / "fs",), True),
        ((tmp_path / "fs/user.slice/app.slice/terminal.scope",), False),
    ]


def test_where_no_cgroup_gives_the_controller_a_child_only_counts(tmp_path: Path) -> None:
    made_version_2(tmp_path, "runner", ())
    assert places_in(tmp_path) == [CgroupParent((tmp_path / "fs/runner",), shares=False, version="v2")]


def test_a_kernel_without_cgroups_has_no_place(tmp_path: Path) -> None:
    assert places_in(tmp_path) == []
    assert is_in_root_group(tmp_path)


def test_in_version_1_only_the_root_has_a_release_agent(tmp_path: Path) -> None:
    write(tmp_path / "proc/self/cgroup", "1:cpu:/\n0::/\n")
    (tmp_path / "fs/cpu").mkdir(parents=True)
    assert not is_in_root_group(tmp_path), "a container's own cgroup, mounted as if it were the root"
    write(tmp_path / "fs/cpu/release_agent")
    assert is_in_root_group(tmp_path)
    write(tmp_path / "proc/self/cgroup", "1:cpu:/system.slice\n")
    (tmp_path / "fs/cpu/system.slice").mkdir()
    assert not is_in_root_group(tmp_path)


def test_in_version_2_a_harness_is_in_the_root_group_until_a_cgroup_above_it_gives_the_controller(
    tmp_path: Path,
) -> None:
    made_version_2(tmp_path, "user.slice/terminal.scope", ())
    assert is_in_root_group(tmp_path)
    made_version_2(tmp_path, "user.slice/terminal.scope", ("user.slice/terminal.scope",))
    assert is_in_root_group(tmp_path), "what a cgroup gives its children does not concern itself"
    made_version_2(tmp_path, "user.slice/terminal.scope", (".",))
    assert not is_in_root_group(tmp_path)


def test_in_a_container_of_version_2_the_top_folder_is_not_the_root(tmp_path: Path) -> None:
    made_version_2(tmp_path, "", ())
    write(tmp_path / "fs/cgroup.type", "domain\n")
    assert not is_in_root_group(tmp_path)
