"""Who something belongs to: a harness that lives, one that is dead, or one that cannot be seen."""

import shutil
import subprocess
from pathlib import Path

import pytest

from restbench.system.owners import owner_id, owner_lives


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
