"""What differs between two versions of an entry, the most specific first."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from restbench.catalog import Entry, load_catalog
from restbench.changes.compare import causes_of
from restbench.containers.images import base_images
from restbench.results.models import Run
from restbench.system.repository import Repository, find_repository
from tests.made.records import a_run

Change = Callable[[Path], None]
FALCON, AXUM = "python/falcon", "rust/axum"


@pytest.fixture(scope="module")
def base() -> Repository:
    return find_repository()


def differences(
    tmp_path: Path, base: Repository, name: str, change: Change, *, target: str = "docker", **runs: Run
) -> list[str]:
    """The causes, as texts, after a change of the entry's language."""
    shutil.copytree(base.frameworks / name.partition("/")[0], tmp_path / "frameworks" / name.partition("/")[0])
    (tmp_path / "fixtures").symlink_to(base.fixtures)
    for file in base.frameworks.glob("*.toml"):
        shutil.copy(file, tmp_path / "frameworks")
    change(tmp_path / "frameworks" / name)
    before, after = entry_of(base, name), entry_of(Repository(tmp_path), name)
    return [str(cause) for cause in causes_of(before, after, target, runs.get("before"), runs.get("after"))]


def entry_of(repository: Repository, name: str) -> Entry:
    return load_catalog(repository).entries[name]


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text, f"{path} has no {old}"
    path.write_text(text.replace(old, new))


def nothing(_folder: Path) -> None:
    pass


def test_equal_versions_differ_in_nothing(tmp_path: Path, base: Repository) -> None:
    assert differences(tmp_path, base, FALCON, nothing, before=a_run(), after=a_run()) == []


def test_a_bump_of_the_framework_comes_first(tmp_path: Path, base: Repository) -> None:
    versions = entry_of(base, FALCON).locked_versions("docker")

    def bump(folder: Path) -> None:
        lock = folder / "requirements.txt"
        edit(lock, f"falcon=={versions['falcon']}", "falcon==99.0")
        edit(lock, f"uvicorn=={versions['uvicorn']}", "uvicorn==98.0")
        edit(lock, f"msgspec=={versions['msgspec']}", "msgspec==97.0")

    assert differences(tmp_path, base, FALCON, bump) == [
        f"framework falcon {versions['falcon']} → 99.0",
        f"server uvicorn {versions['uvicorn']} → 98.0",
        f"dependency msgspec {versions['msgspec']} → 97.0",
    ]


def test_packages_that_come_and_go_are_named(tmp_path: Path, base: Repository) -> None:
    version = entry_of(base, FALCON).locked_versions("docker")["msgspec"]

    def replace(folder: Path) -> None:
        edit(folder / "requirements.txt", f"msgspec=={version}", "simdjson==3.0")

    assert differences(tmp_path, base, FALCON, replace) == ["dependency msgspec removed", "dependency simdjson added"]


def test_a_change_of_code_names_the_files(tmp_path: Path, base: Repository) -> None:
    def change(folder: Path) -> None:
        (folder / "app.py").write_text("another app\n")
        (folder.parent / "shared/more.py").write_text("more\n")

    first, second = differences(tmp_path, base, FALCON, change)
    assert first.startswith("code falcon/app.py ")
    assert second == "code shared/more.py added"


def test_another_runtime_and_another_base_image(tmp_path: Path, base: Repository) -> None:
    def change(folder: Path) -> None:
        edit(folder.parent / "Dockerfile", "python:3.13-slim-trixie", "python:3.14-slim-trixie")

    before, after = a_run(runtime="CPython 3.13.5"), a_run(runtime="CPython 3.14.0")
    runtime, image = "runtime CPython 3.13.5 → 3.14.0", "image python 3.13-slim-trixie → 3.14-slim-trixie"
    assert differences(tmp_path / "a", base, FALCON, change, before=before, after=after)[:2] == [runtime, image]
    native = differences(tmp_path / "b", base, FALCON, change, target="native", before=before, after=after)
    assert native[0] == runtime
    assert not any(cause.startswith("image") for cause in native)


def test_what_the_runtime_runs_with_is_named_with_both_values(tmp_path: Path, base: Repository) -> None:
    before, after = ({"children": number, "JIT": "off"} for number in ("64", "4"))
    old, new = (a_run(runtime="PHP 8.4.1", runtime_settings=settings) for settings in (before, after))
    assert differences(tmp_path / "asked", base, FALCON, nothing, before=old, after=new) == ["runtime children 64 → 4"]
    unasked = a_run(runtime="PHP 8.4.1")
    assert differences(tmp_path / "unasked", base, FALCON, nothing, before=unasked, after=new) == []


@pytest.mark.parametrize("name", ["cpp/pistache", "go/gin", "java/jooby", FALCON, AXUM, "typescript/fastify"])
def test_every_language_tells_the_versions_of_its_packages(base: Repository, name: str) -> None:
    entry = entry_of(base, name)
    versions = entry.locked_versions("docker")
    package = entry.manifest.package.partition(":")[2]
    assert package in versions
    assert all(versions.values())
    assert entry.version("docker") is not None


def test_the_lock_file_is_no_code(base: Repository) -> None:
    files = entry_of(base, AXUM).app_files("docker")
    assert "axum/Cargo.toml" in files
    assert "axum/Cargo.lock" not in files


def test_base_images_are_those_of_no_earlier_stage(tmp_path: Path) -> None:
    dockerfile = tmp_path / "Dockerfile"
    dockerfile.write_text(
        "FROM --platform=linux/amd64 rust:1-slim@sha256:00 AS build\nRUN x\n"
        "FROM debian:trixie-slim as run\nCOPY --from=build /a /a\nfrom run\nFROM debian:trixie-slim\n"
    )
    assert base_images(dockerfile) == ["rust:1-slim@sha256:00", "debian:trixie-slim"]
