"""The JDK that an entry in Java gets natively: the newest that fits, wherever it is."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from restbench.catalog import load_catalog
from restbench.system import debian
from restbench.system.repository import find_repository
from restbench.targets import jdks
from restbench.targets.jdks import Jdk, choose, found
from restbench.targets.toolchains import tools_unavailable_reason
from tests.made.programs import a_program


def a_jdk(home: Path, version: str, *, runtime: str = "", programs: tuple[str, ...] = ("java", "javac", "jar")) -> Path:
    for program in programs:
        a_program(home / "bin" / program, "true")
    (home / "release").write_text(f'JAVA_RUNTIME_VERSION="{runtime or version}"\nJAVA_VERSION="{version}"\n')
    return home


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """One without a JDK, whose places for JDKs are empty folders."""
    monkeypatch.setattr(jdks, "_PLACES", (str(tmp_path / "jvm"),))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    jdks.forget()
    yield
    jdks.forget()


def test_jdks_are_found_in_java_home_on_path_in_places_of_distributions_and_at_home(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(a_jdk(tmp_path / "mine", "26.0.1")))
    on_path = a_jdk(tmp_path / "elsewhere", "23")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/javac").symlink_to(on_path / "bin/javac")
    debian_s = a_jdk(tmp_path / "jvm/java-17-openjdk-amd64", "17.0.15")
    (tmp_path / "jvm/default-java").symlink_to(debian_s)
    sdkman_s = a_jdk(tmp_path / ".sdkman/candidates/java/25.0.3-tem", "25.0.3")
    assert found() == [
        Jdk(tmp_path / "mine", Version("26.0.1")),
        Jdk(on_path, Version("23")),
        Jdk(debian_s, Version("17.0.15")),
        Jdk(sdkman_s, Version("25.0.3")),
    ]


@pytest.mark.parametrize(
    ("allowed", "version"), [(">=17", "25.0.3"), (">=17,<22", "21.0.7"), ("==17.*", "17.0.15"), (">=26", None)]
)
def test_the_newest_that_fits_is_chosen(allowed: str, version: str | None, tmp_path: Path) -> None:
    for each in ("21.0.7", "25.0.3", "17.0.15"):
        a_jdk(tmp_path / "jvm" / each, each)
    chosen = choose(SpecifierSet(allowed))
    assert (str(chosen.version) if chosen else None) == version


def test_neither_a_runtime_nor_a_jdk_before_its_release_is_taken(tmp_path: Path) -> None:
    a_jdk(tmp_path / "jvm/jre", "21.0.7", programs=("java",))
    a_jdk(tmp_path / "jvm/early", "27", runtime="27-ea+12-1009")
    (a_jdk(tmp_path / "jvm/broken", "21") / "release").write_bytes(b"\xff\xfe")
    assert found() == []


@pytest.mark.parametrize(
    ("here", "listed", "message"),
    [
        (None, [], "JDK >=17,>=21 is missing: install it with: apt-get install default-jdk-headless"),
        (
            None,
            ["openjdk-21-jdk-headless", "openjdk-25-jdk-headless", "openjdk-25-jre-headless"],
            "JDK >=17,>=21 is missing: install it with: apt-get install openjdk-25-jdk-headless",
        ),
        (
            "17.0.15",
            ["openjdk-17-jdk-headless"],
            "JDK is 17.0.15, and JDK >=17,>=21 is needed: install one from https://adoptium.net/temurin/releases",
        ),
        ("21.0.7", [], None),
    ],
)
def test_an_entry_that_needs_a_newer_one_is_left_out_with_what_installs_it(
    here: str | None, listed: list[str], message: str | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(debian, "known", lambda _prefix: listed)
    a_program(tmp_path / "bin/mvn", "true")
    if here:
        a_jdk(tmp_path / "jvm/here", here)
    jooby = load_catalog(find_repository()).entries["java/jooby"]
    newer = replace(jooby, manifest=jooby.manifest.model_copy(update={"jdk": ">=21"}))
    assert tools_unavailable_reason(newer) == message
