"""Who something belongs to, a harness that lives or one that is dead, and the cgroups of harnesses."""

import shutil
import subprocess
from pathlib import Path

import pytest

from restbench.system import own_cgroups, owners
from restbench.system.owners import owner_id, owner_lives


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
    """The kernel's time of boot moves with the clock, and start times that are told as dates move with it."""
    owner = owner_id(proc)
    stat = (proc / "stat").read_text().splitlines()
    moved = [f"btime {int(line.split()[1]) + 3600}" if line.startswith("btime") else line for line in stat]
    assert moved != stat
    (proc / "stat").write_text("\n".join(moved))
    assert owner_id(proc) == owner
    assert owner_lives(owner, proc)
