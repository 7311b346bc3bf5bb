"""Both versions of cgroups are read, and those of harnesses are distinguished from all others, emptied and removed."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from restbench.containers.cgroups import CgroupParent, in_root_group, places
from restbench.errors import MissingToolError
from restbench.system import own_cgroups, owners
from restbench.system.owners import owner_id, owner_lives


def write(path: Path, text: str = "") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


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


def test_a_name_is_unique_and_tells_its_owner() -> None:
    owner = owners.owner_id()
    names = {own_cgroups.new_name(owner) for _ in range(10)}
    assert len(names) == 10
    assert {own_cgroups.owner_of(Path("/sys/fs/cgroup", name)) for name in names} == {owner}


def test_a_cgroup_that_only_has_a_similar_name_has_no_dead_owner() -> None:
    for name in ("restbench-nightly.service", "restbench-", "restbench-7"):
        assert owners.owner_lives(own_cgroups.owner_of(Path(name)))


def test_they_are_found_at_any_depth(tmp_path: Path) -> None:
    mine = [
        tmp_path / "cpu" / own_cgroups.new_name("1:2:3"),
        tmp_path / "user.slice/a/b" / own_cgroups.new_name("1:2:3"),
    ]
    for folder in (*mine, tmp_path / "docker/abc"):
        folder.mkdir(parents=True)
    assert sorted(own_cgroups.find(tmp_path)) == sorted(mine)


def test_processes_of_other_namespaces_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "cgroup.procs").write_text("12\n0\n13\n")
    (tmp_path / "below/cgroup.procs").write_text("14\n")
    assert sorted(own_cgroups.pids(tmp_path)) == [12, 13, 14]


def test_an_empty_cgroup_is_removed_with_those_below_it(tmp_path: Path) -> None:
    (tmp_path / "app/below").mkdir(parents=True)
    assert own_cgroups.remove(tmp_path / "app")
    assert list(tmp_path.iterdir()) == []
    assert own_cgroups.remove(tmp_path / "app"), "it was gone before"


def test_what_is_in_a_cgroup_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_cgroups, "_PATIENCE_SECONDS", 0.0)
    with subprocess.Popen(["sleep", "60"]) as process:
        (tmp_path / "cgroup.procs").write_text(f"{process.pid}\n")
        assert not own_cgroups.remove(tmp_path), "it still has a file, as a cgroup still has a process that is ending"
        assert process.wait(10) == -9


def test_somebody_elses_cgroup_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_folder: Path) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "rmdir", refuse)
    assert not own_cgroups.remove(tmp_path)


def test_this_harness_lives_and_a_reused_pid_is_not_its_owner() -> None:
    boot, namespace, pid, started = owner_id().split(".")
    assert owner_lives(owner_id())
    assert not owner_lives(f"{boot}.{namespace}.{pid}.{int(started) - 100}")
    assert not owner_lives(f"00000000.{namespace}.{pid}.{started}"), "no process outlives a boot"


def test_what_cannot_be_seen_from_here_may_live() -> None:
    boot, _, pid, started = owner_id().split(".")
    assert owner_lives(f"{boot}.1.{pid}.{started}"), "it is in another PID namespace"
    assert owner_lives("nightly.service"), "it is no harness at all"


def test_where_several_machines_leave_things_another_boot_is_no_proof_of_death() -> None:
    boot, namespace, pid, started = owner_id().split(".")
    assert owner_lives(f"00000000.{namespace}.{pid}.{started}", shared=True)
    assert not owner_lives(f"{boot}.{namespace}.{pid}.{int(started) - 100}", shared=True)


def test_a_harness_of_another_user_lives_also_where_proc_hides_it(proc: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As with the option hidepid of /proc."""

    def refuse(_pid: int, _signal: int) -> None:
        raise PermissionError

    boot, namespace, _, started = owner_id().split(".")
    hidden = f"{boot}.{namespace}.4194303.{started}"
    assert not owner_lives(hidden, proc)
    monkeypatch.setattr(os, "kill", refuse)
    assert owner_lives(hidden, proc)


def test_processes_of_another_namespace_are_not_taken_for_those_of_this_one(proc: Path) -> None:
    """As with `unshare --pid --fork` and no --mount-proc: /proc numbers all processes in another way."""
    owner = owner_id(proc)
    (proc / "self/stat").write_text((proc / "self/stat").read_text().replace(str(os.getpid()), "17", 1))
    for ask in (lambda: owner_id(proc), lambda: owner_lives(owner, proc)):
        with pytest.raises(MissingToolError, match="/proc shows the processes of another PID namespace"):
            ask()


def test_one_that_was_killed_and_not_yet_waited_for_is_dead() -> None:
    boot, namespace, _, _ = owner_id().split(".")
    with subprocess.Popen(["sleep", "60"]) as other:
        started = Path(f"/proc/{other.pid}/stat").read_text().rpartition(")")[2].split()[19]
        owner = f"{boot}.{namespace}.{other.pid}.{started}"
        assert owner_lives(owner)
        other.kill()
        while Path(f"/proc/{other.pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
            pass
        assert not owner_lives(owner)


@pytest.fixture
def proc(tmp_path: Path) -> Path:
    """/proc as this process sees it, to be changed."""
    for name in ("self/stat", "sys/kernel/random/boot_id", "stat"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(Path("/proc") / name, tmp_path / name)
    (tmp_path / "self/ns").mkdir()
    (tmp_path / "self/ns/pid").symlink_to(Path("/proc/self/ns/pid").readlink())
    pid = owner_id().split(".")[2]
    (tmp_path / pid).symlink_to(tmp_path / "self")
    return tmp_path


def test_a_clock_that_is_set_changes_no_owner(proc: Path) -> None:
    """The kernel's time of boot moves with the clock, and start times that are given as dates move with it."""
    owner = owner_id(proc)
    stat = (proc / "stat").read_text().splitlines()
    moved = [f"btime {int(line.split()[1]) + 3600}" if line.startswith("btime") else line for line in stat]
    assert moved != stat
    (proc / "stat").write_text("\n".join(moved))
    assert owner_id(proc) == owner
    assert owner_lives(owner, proc)
