"""The size of an entry is the bytes of its files, whatever an engine's store says and whatever ran before."""

import io
import os
import tarfile
import threading
from pathlib import Path

import pytest

from restbench.catalog import Entry, load_catalog
from restbench.errors import EntryError
from restbench.system.processes import CANCEL, CancelledError
from restbench.system.repository import Repository
from restbench.targets.docker import DockerRuntime, image_of
from restbench.targets.facts import collect
from restbench.targets.native import NativeRuntime
from tests.end_to_end.made import made_repository
from tests.made.programs import a_program

FILES, IMAGE = 300, "sha256:0001"


def exported() -> bytes:
    """What an engine exports of an image with two files, a second name of one of them, a link and a folder."""
    output = io.BytesIO()
    with tarfile.open(fileobj=output, mode="w") as archive:
        for name, size in (("usr/bin/app", 200), ("etc/passwd", 100), ("empty", 0)):
            member = tarfile.TarInfo(name)
            member.size = size
            archive.addfile(member, io.BytesIO(bytes(size)))
        for name, kind in (
            ("usr/bin/same", tarfile.LNKTYPE),
            ("usr/bin/link", tarfile.SYMTYPE),
            ("dev", tarfile.DIRTYPE),
        ):
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, "usr/bin/app"
            archive.addfile(member)
    return output.getvalue()


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    repository = made_repository(tmp_path / "repository", "good")
    (repository.frameworks / "test/Dockerfile").write_text("FROM scratch\n")
    return repository


@pytest.fixture
def entry(repository: Repository) -> Entry:
    return load_catalog(repository).entries["test/good"]


@pytest.fixture
def docker(tmp_path: Path, entry: Entry, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with what an engine says of the entry's image, and with all that it was asked.

    It says another size of the image than that of its files, as each store has a size of its own.
    """
    folder = tmp_path / "engine"
    a_program(folder / "bin/docker", f'cd {folder}; echo "$1" >>asked; [ -f "$1" ] && cat "$1"')
    label = image_of(entry).labels
    for name, answer in {"create": b"", "rm": b"", "export": exported()}.items():
        (folder / name).write_bytes(answer)
    described = str([{"Id": IMAGE, "Size": 47, "Config": {"Labels": label}}]).replace("'", '"')
    (folder / "image").write_text(described)
    monkeypatch.setenv("PATH", f"{folder}/bin:{os.environ['PATH']}")
    return folder


def asked(docker: Path) -> list[str]:
    return (docker / "asked").read_text().split()


def test_the_size_of_an_image_is_that_of_its_files_and_is_noted(
    docker: Path, entry: Entry, repository: Repository
) -> None:
    runtime = DockerRuntime(repository)
    assert runtime.size_bytes(entry) == FILES
    assert asked(docker) == ["image", "create", "export", "rm"]
    assert runtime.size_bytes(entry) == FILES
    assert asked(docker)[4:] == ["image"], "it is not read twice"
    (docker / "image").write_text((docker / "image").read_text().replace(IMAGE, "sha256:0002"))
    assert runtime.size_bytes(entry) == FILES
    assert asked(docker)[5:] == ["image", "create", "export", "rm"], "it is another image"


@pytest.mark.parametrize("noted", ["", "300", f"{IMAGE} many", f"{IMAGE} 300 400", "\0"])
def test_a_damaged_note_is_no_size(noted: str, docker: Path, entry: Entry, repository: Repository) -> None:
    runtime = DockerRuntime(repository)
    runtime._note(entry, "size").parent.mkdir(parents=True)
    runtime._note(entry, "size").write_text(noted)
    assert runtime.size_bytes(entry) == FILES
    assert "export" in asked(docker)


@pytest.mark.parametrize("broken", ["cut", "no archive", "failed"])
def test_what_cannot_be_read_has_no_size_but_a_reason(
    broken: str, docker: Path, entry: Entry, repository: Repository
) -> None:
    match broken:
        case "cut":
            (docker / "export").write_bytes(exported()[:700])
        case "no archive":
            (docker / "export").write_bytes(b"x" * 10_000)
        case "failed":
            (docker / "create").unlink()
    runtime = DockerRuntime(repository)
    with pytest.raises(EntryError, match="test/good: the image could not be read: "):
        runtime.size_bytes(entry)
    assert not runtime._note(entry, "size").exists()


def test_an_export_that_fails_at_its_end_has_no_size(docker: Path, entry: Entry, repository: Repository) -> None:
    program = docker / "bin/docker"
    program.write_text(program.read_text() + '[ "$1" != export ] || { echo "unexpected EOF" >&2; exit 1; }\n')
    with pytest.raises(EntryError, match="test/good: the image could not be read: unexpected EOF"):
        DockerRuntime(repository).size_bytes(entry)


def test_ctrl_c_ends_the_reading_and_removes_the_container(docker: Path, entry: Entry, repository: Repository) -> None:
    cancel = threading.Event()
    cancel.set()
    token = CANCEL.set(cancel)
    try:
        with pytest.raises(CancelledError):
            DockerRuntime(repository).size_bytes(entry)
    finally:
        CANCEL.reset(token)
    assert asked(docker) == ["image", "create", "export", "rm"]


def test_the_reason_is_a_remark_of_the_run(docker: Path, entry: Entry, repository: Repository) -> None:
    (docker / "export").write_bytes(b"x" * 10_000)
    facts = collect(entry, DockerRuntime(repository), repository.state / "releases.json")
    assert facts.size_bytes is None
    assert any(remark.startswith("its size is not known: test/good: the image") for remark in facts.remarks)


def test_natively_each_file_counts_once_and_bytecode_does_not(entry: Entry, repository: Repository) -> None:
    runtime = NativeRuntime(repository)
    environment = runtime.environment(entry)
    assert runtime.size_bytes(entry) == 0, "nothing is built for it"
    (environment / "lib/__pycache__").mkdir(parents=True)
    (environment / "lib/app.py").write_bytes(bytes(200))
    (environment / "lib/data").write_bytes(bytes(100))
    (environment / "lib/same").hardlink_to(environment / "lib/app.py")
    (environment / "lib/link.py").symlink_to("app.py")
    (environment / "lib64").symlink_to("lib")
    assert runtime.size_bytes(entry) == FILES
    (environment / "lib/__pycache__/app.cpython-313.pyc").write_bytes(bytes(150))
    assert runtime.size_bytes(entry) == FILES, "whether bytecode was written depends on what ran before"
