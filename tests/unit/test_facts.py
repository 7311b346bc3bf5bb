"""Facts are collected, among them dates of releases, and what cannot be found out is left open."""

import json
import runpy
import subprocess
import zipfile
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from restbench.catalog import Catalog, Entry, debian_packages, load_catalog
from restbench.catalog.packages import packages_of
from restbench.errors import EntryError
from restbench.system.repository import find_repository
from restbench.targets.facts import code_lines, collect, printed_facts, released
from tests.unit.fakes import FakeRuntime, World

FALCON = load_catalog(find_repository()).entries["python/falcon"]


@pytest.fixture
def releases(tmp_path: Path) -> Path:
    """Dates that are known already, so that no index is asked."""
    path = tmp_path / "releases.json"
    path.write_text(json.dumps({f"pypi:falcon=={FALCON.version()}": "2026-09-29"}))
    return path


def test_facts_come_from_environment_lock_and_files(releases: Path) -> None:
    facts = collect(FALCON, FakeRuntime(World()), releases)
    assert (facts.licence, facts.packages, facts.released) == ("MIT", 7, date(2026, 9, 29))
    assert facts.code_lines == code_lines(FALCON)
    assert (facts.runtime, facts.runtime_build) == ("CPython 3.13.0", "no PGO, no LTO")


def test_a_date_that_the_build_found_comes_before_that_of_the_index(releases: Path) -> None:
    dated = World(facts='{"licence": "MIT", "packages": 7, "released": "2026-08-01"}')
    assert collect(FALCON, FakeRuntime(dated), releases).released == date(2026, 8, 1)


def test_a_framework_that_is_a_part_of_the_runtime_has_the_version_that_the_runtime_tells(releases: Path) -> None:
    shared = World(facts='{"version": "10.0.12", "runtime": ".NET 10.0.12"}')
    assert collect(FALCON, FakeRuntime(shared), releases).version == "10.0.12"
    assert collect(FALCON, FakeRuntime(World()), releases).version is None


def test_an_environment_that_does_not_answer_leaves_its_facts_open(releases: Path) -> None:
    class Silent(FakeRuntime):
        def run_facts(self, entry: object, command: list[str]) -> str:
            raise EntryError("no such interpreter")

    facts = collect(FALCON, Silent(World()), releases)
    assert (facts.licence, facts.packages) == (None, None)
    assert facts.released == date(2026, 9, 29)
    assert facts.remarks == ("licence, number of packages and runtime are not known: no such interpreter",)


@pytest.mark.parametrize(
    ("output", "mistake"),
    [
        ("hello\n", "Invalid JSON: expected value at line 1 column 1 (it printed 'hello')"),
        ('{"licence": "MIT", "packages": "7"}', "packages: Input should be a valid integer (it printed "),
        ('{"license": "MIT"}', "license: Extra inputs are not permitted (it printed "),
    ],
)
def test_a_command_that_prints_no_facts_is_reported_in_one_line(output: str, mistake: str) -> None:
    with pytest.raises(EntryError) as raised:
        printed_facts(FALCON, FakeRuntime(World(facts=output)))
    line = raised.value.message
    assert line.startswith(
        "python/language.toml: facts: its output is not as docs/ADDING-A-LANGUAGE.md says: " + mistake
    )
    assert "\n" not in line


def test_of_debians_packages_licence_and_number_are_found_where_the_language_does_not_tell() -> None:
    class OfDebian(FakeRuntime):
        def run_facts(self, entry: object, command: list[str]) -> str:
            if command == ["cat", "/usr/share/doc/librestinio-dev/copyright"]:
                return "Files: *\nCopyright: 2016 its authors\nLicense: BSD-3-clause\n"
            return '{"runtime": "g++ 14.2.0"}'

    restinio = load_catalog(find_repository()).entries["cpp/restinio"]
    printed = printed_facts(restinio, OfDebian(World()))
    assert (printed.licence, printed.runtime) == ("BSD-3-Clause", "g++ 14.2.0")
    assert printed.packages == len(restinio.locked_versions()) > 1


def test_lines_of_code_are_those_of_the_code_that_an_entry_runs() -> None:
    entries = load_catalog(find_repository()).entries
    assert code_lines(entries["python/falcon-wsgi-granian"]) == code_lines(entries["python/falcon-wsgi"])


def test_lines_of_code_are_those_of_the_entry_without_blank_ones(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("import a\n\n\nprint(a)\n   \n")
    (tmp_path / "requirements.txt").write_text("a==1\nb==2\n")
    assert code_lines(replace(FALCON, folder=tmp_path)) == 2


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
def dates(tmp_path: Path) -> Path:
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


def test_a_registry_that_does_not_answer_gives_no_date(
    axum: Entry, dates: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARGO_HOME", str(tmp_path))
    assert released(axum, dates) is None
    assert not dates.exists()


def test_what_has_no_version_or_no_registry_has_no_date(catalog: Catalog, dates: Path) -> None:
    assert released(catalog.entries["reference/nginx"], dates) is None
