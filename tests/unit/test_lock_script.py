"""scripts/lock: which entries it locks, and what it says meanwhile."""

import os
import platform
import shutil
import subprocess
from pathlib import Path

import pytest

from restbench.commands.scaffold import scaffold
from restbench.errors import BuildError, UnreachableError, UsageError
from restbench.system.repository import find_repository
from tests.made.programs import a_program

LOCK = 'echo "${UPGRADE:-kept}" >"$1/requirements.txt"'
FAILS = "echo no such package >&2\nexit 3"
UNREACHABLE = "echo https://packages.example.org/a failed: ENOTFOUND >&2\nexit 1"
TOML = 'title = "Pascal"\nregistry = "pypi"\n[native]\nlock = "requirements.txt" # of this language\nstart = ["true"]\n'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A checkout with two entries of a language that locks, and one of a language that does not."""
    (tmp_path / "scripts").mkdir()
    shutil.copy(find_repository().root / "scripts/lock", tmp_path / "scripts")
    for entry in ("pascal/one", "pascal/two", "basic/three"):
        folder = tmp_path / "frameworks" / entry
        folder.mkdir(parents=True)
        (folder / "framework.toml").touch()
    (tmp_path / "frameworks/pascal/language.toml").write_text(TOML)
    write_lock(tmp_path, LOCK)
    return tmp_path


def write_lock(root: Path, body: str) -> None:
    a_program(root / "frameworks/pascal/lock", body)


def locked(root: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], **variables}
    command = [str(root / "scripts/lock"), *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_a_pattern_stands_for_all_that_it_matches_and_nothing_else_is_locked(root: Path) -> None:
    ran = locked(root, "pascal/o*", UPGRADE="1")
    assert (ran.returncode, ran.stdout) == (0, "frameworks/pascal/one/requirements.txt\n")
    assert ran.stderr == "locking pascal/one\n"
    assert (root / "frameworks/pascal/one/requirements.txt").read_text() == "1\n"
    assert not (root / "frameworks/pascal/two/requirements.txt").exists()


@pytest.mark.parametrize(
    ("name", "lock", "mode", "code", "said"),
    [
        ("pascal/one", FAILS, 0o755, 3, "locking pascal/one\nno such package\nlocking pascal/one failed with code 3"),
        ("pascal/thre", LOCK, 0o755, 2, "there is no framework pascal/thre here: make list has their names"),
        (
            "pascal/one", LOCK, 0o644, 2,
            "frameworks/pascal/lock is not executable: run chmod +x frameworks/pascal/lock",
        ),
        ("basic/three", LOCK, 0o755, 0, "frameworks/basic has no script lock, as its versions are written by hand"),
    ],
)  # fmt: skip
def test_what_cannot_be_locked_is_said_with_the_reason_or_the_remedy(
    root: Path, name: str, lock: str, mode: int, code: int, said: str
) -> None:
    write_lock(root, lock)
    (root / "frameworks/pascal/lock").chmod(mode)
    ran = locked(root, name)
    assert ran.returncode == code
    assert said in ran.stderr
    assert code == 0 or ran.stderr == f"{said}\n"


def test_debians_packages_are_locked_for_this_release_and_for_that_of_images(root: Path, tmp_path: Path) -> None:
    """The container is only asked for: a program in place of Docker writes down its arguments."""
    folder, release = root / "frameworks/pascal/one", platform.freedesktop_os_release()["VERSION_CODENAME"]
    shutil.copy(find_repository().root / "scripts/lock-debian", root / "scripts")
    (folder / "framework.toml").write_text('package = "debian:bash"\n')
    (folder / f"packages.{release}.txt").write_text("bash\n\ncoreutils=0\n")
    debian = TOML.replace("pypi", "debian").replace("requirements.txt", "packages.{release}.txt")
    (root / "frameworks/pascal/language.toml").write_text(debian + '[toolchain]\nrelease = "sid"\n')
    programs = tmp_path / "programs"
    a_program(programs / "docker", f'echo "$@" >>{programs}/said')
    a_program(programs / "apt-cache", '[ "$3" = ada ] || printf "Package: $3\\nVersion: 1:$3-1+deb13u2+b1\\n"')
    path = f"{programs}:{os.environ['PATH']}"
    ran = locked(root, "pascal/one", PATH=path)
    assert (ran.returncode, ran.stdout) == (0, f"frameworks/pascal/one/packages.{release}.txt\n"), ran.stderr
    assert (folder / f"packages.{release}.txt").read_text() == "bash=1:bash-1*\ncoreutils=1:coreutils-1*\n"
    asked = (programs / "said").read_text()
    assert f"--volume {folder}:/entry --volume {root}/scripts:/scripts:ro debian:sid-slim sh -c apt-get " in asked
    assert asked.endswith("/scripts/lock-debian /entry\n")
    (folder / f"packages.{release}.txt").write_text("ada\n")
    ran = locked(root, "pascal/one", PATH=path)
    assert ran.returncode == 1
    assert f"Debian {release} has no package ada, or apt-get update was never run" in ran.stderr
    assert (folder / f"packages.{release}.txt").read_text() == "ada\n"


def test_a_new_entry_that_cannot_be_locked_leaves_nothing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    template = root / "frameworks/pascal/template"
    (template / "src").mkdir(parents=True)
    (template / "src/app.pas").write_text("{{ as it is }}")
    (template / "framework.toml.j2").write_text('title = "{{ title }}"\n')
    for name in ("one", "two"):
        shutil.rmtree(root / "frameworks/pascal" / name)
    shutil.rmtree(root / "frameworks/basic")
    (root / "fixtures").mkdir()
    shutil.copy(find_repository().frameworks / "python/packages.py", root / "frameworks/pascal")
    write_lock(root, FAILS)
    monkeypatch.setenv("RESTBENCH_ROOT", str(root))
    with pytest.raises(BuildError, match="could not be locked") as raised:
        scaffold("pascal/my-framework")
    assert "no such package" in raised.value.detail.splitlines()
    made = root / "frameworks/pascal/my-framework"
    assert not made.exists()
    write_lock(root, UNREACHABLE)
    with pytest.raises(
        UnreachableError, match=r"could not be locked: https://packages.example.org \(ENOTFOUND\): check"
    ):
        scaffold("pascal/my-framework")
    assert not made.exists()
    write_lock(root, LOCK)
    scaffold("pascal/my-framework")
    assert (made / "framework.toml").read_text() == 'title = "My Framework"\n'
    assert (made / "src/app.pas").read_text() == "{{ as it is }}"
    assert (made / "requirements.txt").exists()


def test_a_language_without_a_template_is_told_where_to_read_on() -> None:
    with pytest.raises(UsageError, match=r"there is no template for ada; known: cpp, .*; docs/ADDING-A-LANGUAGE\.md"):
        scaffold("ada/aws")
