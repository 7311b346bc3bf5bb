"""Facts are collected, and what cannot be found out is left open."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from restbench.catalog import load_catalog
from restbench.errors import EntryError
from restbench.system.repository import find_repository
from restbench.targets.facts import code_lines, collect, printed_facts
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
    class Dated(FakeRuntime):
        def run_facts(self, entry: object, command: list[str]) -> str:
            return '{"licence": "MIT", "packages": 7, "released": "2026-08-01"}'

    assert collect(FALCON, Dated(World()), releases).released == date(2026, 8, 1)


def test_a_framework_that_is_a_part_of_the_runtime_has_the_version_that_the_runtime_tells(releases: Path) -> None:
    class Shared(FakeRuntime):
        def run_facts(self, entry: object, command: list[str]) -> str:
            return '{"version": "10.0.12", "runtime": ".NET 10.0.12"}'

    assert collect(FALCON, Shared(World()), releases).version == "10.0.12"
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
    ("said", "mistake"),
    [
        ("hello\n", "Invalid JSON: expected value at line 1 column 1 (it printed 'hello')"),
        ('{"licence": "MIT", "packages": "7"}', "packages: Input should be a valid integer (it printed "),
        ('{"license": "MIT"}', "license: Extra inputs are not permitted (it printed "),
    ],
)
def test_a_command_that_prints_no_facts_is_told_in_one_line(said: str, mistake: str) -> None:
    class Wrong(FakeRuntime):
        def run_facts(self, entry: object, command: list[str]) -> str:
            return said

    with pytest.raises(EntryError) as raised:
        printed_facts(FALCON, Wrong(World()))
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
