"""Cgroups of harnesses: told from all others by their names, emptied and removed."""

import subprocess
from pathlib import Path

import pytest

from restbench.system import own_cgroups, owners


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
