"""Dates of releases, from what each package manager keeps or tells."""

import json
import runpy
import subprocess
import zipfile
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from restbench.catalog import Catalog, Entry, debian_packages
from restbench.catalog.packages import packages_of
from restbench.system.repository import find_repository
from restbench.targets.facts import released

FRAMEWORKS = find_repository().frameworks


def release_date(language: str, name: str, version: str) -> date | None:
    packages = packages_of(FRAMEWORKS / language, "its own")
    assert packages
    return packages.release_date(name, version)


def module_of(language: str) -> dict[str, Any]:
    """What is in the module of a language."""
    return runpy.run_path(str(FRAMEWORKS / language / "packages.py"))


PYLOCK = """
lock-version = "1.0"
[[packages]]
name = "falcon"
version = "4.4.0"
sdist = { url = "https://example.org/a.tar.gz", upload-time = 2026-09-30T18:20:25Z }
wheels = [
  { url = "https://example.org/a.whl", upload-time = 2026-09-29T23:59:00Z },
  { url = "https://example.org/b.whl", upload-time = 2026-10-02T09:00:00Z },
]
"""


CRATE = (
    b"\x03\x02\0\0etag: x\0"
    b'1.0.0\0{"name":"axum","vers":"1.0.0","deps":[],"pubtime":"2026-01-02T23:00:00Z"}\0'
    b'1.1.0\0{"name":"axum","vers":"1.1.0","features":{"a":[]},"pubtime":"2026-04-14T07:55:20Z"}\0'
    b'0.9.0\0{"name":"axum","vers":"0.9.0"}\0'
)

CHANGELOG = """\
cpprest (2.10.18-1+b1) unstable; urgency=medium

  * Rebuilt.

 -- A Maintainer <a@example.org>  Mon, 05 Sep 2022 10:00:00 +0000

cpprest (2.10.18-1) unstable; urgency=medium

  * New upstream version 2.10.18

 -- A Maintainer <a@example.org>  Mon, 08 Feb 2021 16:09:24 +0100

cpprest (2.10.17-2) unstable; urgency=medium

 -- A Maintainer <a@example.org>  Fri, 08 Jan 2021 12:34:20 +0100
"""


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return tmp_path / "releases.json"


def test_a_python_release_is_as_old_as_its_first_file() -> None:
    assert module_of("python")["upload_date"](PYLOCK) == date(2026, 9, 29)
    assert module_of("python")["upload_date"](PYLOCK.replace("upload-time", "size")) is None


def test_a_crate_is_as_old_as_cargos_index_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert module_of("rust")["publication_date"](CRATE, "1.1.0") == date(2026, 4, 14)
    assert module_of("rust")["publication_date"](CRATE, "0.9.0") is None
    index = tmp_path / "registry/index/an-index/.cache/ax/um/axum"
    index.parent.mkdir(parents=True)
    index.write_bytes(CRATE)
    monkeypatch.setenv("CARGO_HOME", str(tmp_path))
    assert release_date("rust", "axum", "1.0.0") == date(2026, 1, 2)


def test_a_maven_release_is_as_old_as_the_newest_file_in_its_jar(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for version, year in (("1.0", 2025), ("2.0", 1980)):
        folder = tmp_path / ".m2/repository/io/example/app" / version
        folder.mkdir(parents=True)
        with zipfile.ZipFile(folder / f"app-{version}.jar", "w") as jar:
            jar.writestr(zipfile.ZipInfo("A.class", (year, 10, 27, 14, 29, 0)), b"")
    assert release_date("java", "io.example:app", "1.0") == date(2025, 10, 27)
    assert release_date("java", "io.example:app", "2.0") is None, "a date that builds are given is not a release"
    with pytest.raises(OSError, match="No such file"):
        release_date("java", "io.example:app", "3.0")


def test_npm_is_asked_for_the_times_of_all_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(argv: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        assert argv == ["npm", "view", "@nestjs/core", "time", "--json"]
        return subprocess.CompletedProcess(argv, 0, json.dumps({"12.5.1": "2026-11-16T18:58:14+00:00"}), "")

    monkeypatch.setattr(subprocess, "run", run)
    assert release_date("typescript", "@nestjs/core", "12.5.1") == date(2026, 11, 16)
    assert release_date("typescript", "@nestjs/core", "1.0.0") is None


def test_a_debian_package_is_as_old_as_its_first_packaging() -> None:
    assert debian_packages.packaged_date(CHANGELOG, "2.10.18") == date(2021, 2, 8)
    assert debian_packages.packaged_date(CHANGELOG, "2.11") is None


COPYRIGHT = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Mojolicious

Files: *
Copyright: 2008-2024 the authors
License: {licence}

Files: debian/*
Copyright: 2009 somebody
License: GPL-1+

License: Artistic-2.0
 Long text.
"""


@pytest.mark.parametrize(("licence", "shown"), [("Artistic-2.0", "Artistic-2.0"), ("Expat", "MIT")])
def test_the_licence_of_a_debian_package_is_that_of_most_of_its_files(licence: str, shown: str) -> None:
    assert debian_packages.licence_of(COPYRIGHT.format(licence=licence)) == shown
    assert debian_packages.licence_of("This package was debianized by somebody in 1999.") is None


@pytest.fixture
def axum(catalog: Catalog) -> Entry:
    return catalog.entries["rust/axum"]


def test_a_date_is_asked_for_once(axum: Entry, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept.write_text(json.dumps({f"crates:axum=={axum.version()}": "2026-01-02"}))
    monkeypatch.setenv("CARGO_HOME", "/nowhere")
    assert released(axum, kept) == date(2026, 1, 2)


def test_a_registry_that_does_not_answer_gives_no_date(
    axum: Entry, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARGO_HOME", str(tmp_path))
    assert released(axum, kept) is None
    assert not kept.exists()


def test_what_has_no_version_or_no_registry_has_no_date(catalog: Catalog, kept: Path) -> None:
    assert released(catalog.entries["reference/nginx"], kept) is None
