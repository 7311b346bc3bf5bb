"""Facts are collected, and what cannot be found out is left open."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from restbench.catalog import load_catalog
from restbench.errors import EntryError
from restbench.system.repository import find_repository
from restbench.targets.facts import code_lines, collect
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


def test_an_environment_that_does_not_answer_leaves_its_facts_open(releases: Path) -> None:
    class Silent(FakeRuntime):
        def run_facts(self, entry: object, command: list[str]) -> str:
            raise EntryError("no such interpreter")

    facts = collect(FALCON, Silent(World()), releases)
    assert (facts.licence, facts.packages) == (None, None)
    assert facts.released == date(2026, 9, 29)
    assert facts.remarks == ("licence and number of packages are not known: no such interpreter",)


def test_lines_of_code_are_those_of_the_code_that_an_entry_runs() -> None:
    entries = load_catalog(find_repository()).entries
    assert code_lines(entries["python/falcon-wsgi-granian"]) == code_lines(entries["python/falcon-wsgi"])


def test_lines_of_code_are_those_of_the_entry_without_blank_ones(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("import a\n\n\nprint(a)\n   \n")
    (tmp_path / "requirements.txt").write_text("a==1\nb==2\n")
    assert code_lines(replace(FALCON, folder=tmp_path)) == 2
