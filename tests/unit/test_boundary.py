"""One odd entry harms nobody, and nothing is published that was not verified."""

import json
import random
import threading
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from restbench.catalog import Catalog, Cell
from restbench.conformance.contracts import contract_of
from restbench.conformance.http import Answer, Client, Mismatch
from restbench.measure.events import Failed
from restbench.measure.usage import PeakMemory
from restbench.results.journal import Journal
from restbench.results.models import Failure
from restbench.system.resource_use import Resources
from restbench.targets import Target
from restbench.targets.facts import Facts, code_lines
from tests.unit.fakes import World
from tests.unit.plans import plan_of, run


@pytest.mark.parametrize("where", ["build", "wait_ready", "before", "features", "read", "after"])
def test_an_exception_that_nobody_foresaw_fails_only_its_entry(catalog: Catalog, journal: Journal, where: str) -> None:
    world = World(breaks_at={"python/fastapi": where})
    patterns = "python/falcon python/fastapi python/starlette"
    outcome, events = run(plan_of(catalog, world, patterns=patterns, suites=["hello", "solr"]), journal)
    by_entry = {result.entry: result for result in outcome.results}
    assert {str(cell.failure) for cell in by_entry["python/fastapi"].cells} == {
        f"harness: AttributeError: nobody foresaw this in {where}"
    }
    for name in ("python/falcon", "python/starlette", "reference/nginx"):
        assert all(cell.failure is None and (cell.measured or cell.features) for cell in by_entry[name].cells), name
    (failed,) = (event for event in events if isinstance(event, Failed))
    assert "Traceback" in failed.detail
    assert sorted(world.lines("stop ")) == sorted(world.lines("start "))


def test_facts_that_raise_fail_only_their_entry(catalog: Catalog, journal: Journal) -> None:
    def collect(entry: object) -> Facts:
        if entry is catalog.entries["python/starlette"]:
            raise UnicodeDecodeError("utf-8", b"\xe9", 0, 1, "no such character")
        return Facts()

    outcome, _ = run(plan_of(catalog, World(), collect=collect), journal)
    assert {entry for entry, _ in outcome.failures} == {"python/starlette"}


def test_cells_are_verified_without_a_backend_that_is_lost_while_they_are_verified(
    catalog: Catalog, journal: Journal
) -> None:
    world = World(backend_dies_when_proving="python/fastapi", backend_stays_dead=True)
    plan = plan_of(catalog, world, patterns="python/fastapi", suites=["hello", "solr"], baselines={})
    outcome, _ = run(plan, journal)
    assert "python/fastapi" in world.lines("verify ")
    (result,) = (r for r in outcome.results if r.entry == "python/fastapi")
    measured = {cell.suite for cell in result.cells if cell.measured}
    assert measured == {"hello"}
    assert {cell.not_run for cell in result.cells if cell.suite == "solr"} == {
        "Solr was ended by signal 9, and could not be started again: no Java any more"
    }


def test_an_entry_whose_cells_all_need_the_backend_is_verified_only_beside_it(
    catalog: Catalog, journal: Journal
) -> None:
    world = World()
    outcome, _ = run(plan_of(catalog, world, patterns="python/fastapi", suites=["solr"], baselines={}), journal)
    assert not outcome.failures
    assert world.lines("verify python/fastapi") == [""]


def test_a_suite_without_a_contract_fails_each_cell_of_it(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = catalog.entries["python/falcon"]
    new = replace(catalog.suites["hello"], name="new")
    monkeypatch.setitem(entry.suites, "new", new)
    contract = contract_of(entry, Cell(entry.id, "new", "hello_world", None))
    with pytest.raises(Mismatch, match=r"expected a contract in .*contracts\.py, got none: nothing can be verified"):
        contract.right_answer(Client("http://127.0.0.1:9"), random.Random(1))


def test_a_source_file_of_any_encoding_has_lines(catalog: Catalog, tmp_path: Path) -> None:
    (tmp_path / "app.py").write_bytes("# où\nx = 1\n".encode("latin-1"))
    assert code_lines(replace(catalog.entries["python/falcon"], folder=tmp_path)) == 2


def test_json_of_any_depth_is_a_wrong_answer() -> None:
    deep = Answer("GET /deep", 200, "application/json", b"[" * 200_000 + b"]" * 200_000)
    with pytest.raises(Mismatch, match="expected a JSON body"):
        deep.json()


def test_half_a_character_can_be_kept() -> None:
    failure = Failure(check="answer", got=json.loads('"\\ud800"'))
    assert failure.got == "\\ud800"
    assert Failure.model_validate_json(failure.model_dump_json()) == failure


class Stumbling:
    """An app whose memory cannot be read."""

    def __init__(self) -> None:
        self.asked = threading.Event()

    def resources(self) -> Resources:
        self.asked.set()
        raise RecursionError("too deep")


def test_what_a_thread_stumbles_over_is_raised_where_it_was_started() -> None:
    app = Stumbling()
    with pytest.raises(RecursionError, match="too deep"), PeakMemory(cast("Target", app)):
        assert app.asked.wait(30)
    with pytest.raises(ZeroDivisionError), PeakMemory(cast("Target", app)):
        assert app.asked.wait(30)
        raise ZeroDivisionError
