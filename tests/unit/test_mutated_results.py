"""Whatever a job uploads, the results of the other jobs are merged and rendered.

A result is mutated at a few random places, as a careless or a hostile job might do it. Where the mutant still fits the
schema, it is merged, and then everything that is made of results has to be made of it, too.
"""

import json
import math
import random
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from restbench.board import build_board
from restbench.catalog import Catalog
from restbench.catalog.load import titles_of
from restbench.changes.chain import gains_of
from restbench.changes.comparison import Together, Verdict
from restbench.changes.regressions import open_regressions
from restbench.changes.summary import changes_markdown, newest_changes
from restbench.ci.changes import append_changes, gather_changes
from restbench.ci.gather import gather
from restbench.ci.issues import issue_body
from restbench.ci.matrix_jobs import MatrixJob
from restbench.ci.summary import run_markdown, write_speeds
from restbench.render.answer import answer_of
from restbench.render.markdown_pages import render_pages
from restbench.render.readme import render_readme
from restbench.render.report import render_report
from restbench.results.files import read_folder, write_entry
from restbench.results.merge import LATEST, LINKS, merge_links, merge_results
from restbench.results.models import RateKind
from restbench.site.build import build_site
from restbench.site.pages import Content
from tests.made.changes import a_change, a_comparison, a_cost, changed
from tests.made.records import (
    START,
    a_cell,
    a_failed_cell,
    a_run,
    a_run_plan,
    an_entry,
    at_rate,
    baseline,
    beside,
    own_baseline,
    solo,
)

NOW = START + timedelta(hours=2)
OTHER, MUTANT = "python/starlette", "python/falcon"
PLAN = a_run_plan(OTHER, MUTANT)

NUMBERS: list[Any] = [
    0,
    -1,
    1,
    0.0,
    -0.0,
    5e-324,
    1e-9,
    1e9,
    1e10,
    1e15,
    2**53,
    2**63,
    10**30,
    1e308,
    -1e308,
    math.nan,
    math.inf,
]
TEXTS: list[Any] = [
    "",
    "`",
    "``",
    "|",
    "<script>",
    "\n# heading\n",
    "](http://evil.example)",
    "\u202e",
    "\ud800",
    "é" * 1999,
    "x" * 3000,
]
KEYS = ["", "x" * 2500, "a\n::error title=x::y", "##[add-mask]x", "\u202e", "é" * 300, "runs", "cells", "entry"]
OTHERS: list[Any] = [None, True, [], {}, [None], {"a": 1}]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all values in a document, also of those that have other values."""
    yield path
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield from places(child, (*path, key))


def mutated(document: Any, rng: random.Random) -> Any:
    """The document with one to three values or keys replaced, removed or doubled."""
    document = json.loads(json.dumps(document))
    for _ in range(rng.randint(1, 3)):
        path = rng.choice([place for place in places(document) if place])
        parent = document
        for key in path[:-1]:
            parent = parent[key]
        key = path[-1]
        how = rng.random()
        if how < 0.1:
            del parent[key]
        elif how < 0.2 and isinstance(parent, list):
            parent.append(parent[key])
        elif how < 0.35 and isinstance(parent, dict):
            parent[rng.choice(KEYS)] = parent.pop(key) if rng.random() < 0.5 else parent[key]
        else:
            parent[key] = rng.choice(rng.choice([NUMBERS, NUMBERS, TEXTS, OTHERS]))
    return document


def a_document() -> Any:
    run = a_run("run-of-a-mutant")
    measured = a_cell(
        run,
        solo=solo([1000.0, 1100.0, 1050.0]),
        baseline=baseline([100, 101, 99, 100, 98, 102]),
        latency=[at_rate(RateKind.COMMON, 100)],
    )
    failed = a_failed_cell(run, scenario="sprint", suite="issue-tracker", variant="raw")
    return json.loads(an_entry(MUTANT, run, [measured, failed]).model_dump_json())


def publish(folder: Path, document: Any, catalog: Catalog) -> bool:
    """Does what the last job does, with the document as one job's result. Returns whether it is merged."""
    jobs, results = folder / "jobs", folder / "results"
    write_entry(jobs / "job-python-starlette/results", an_entry(OTHER, run=a_run("run-of-the-other")))
    path = jobs / "job-python-falcon/results/python/falcon.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(document))
    gathered = gather(jobs, PLAN, catalog, NOW)
    merge_results(gathered.results, gathered.missed, results)
    latest = list(read_folder(results / LATEST).values())
    board = build_board(catalog, latest)
    assert render_readme(board, catalog)
    assert render_pages(board, catalog)
    assert render_report(board, catalog, answer_of(board))
    assert run_markdown(PLAN, gathered, {}, titles_of(catalog))
    append_changes(jobs, PLAN, catalog, results)
    write_speeds(folder / "out", gathered.results, [])
    merged = {result.entry for result in gathered.results}
    assert OTHER in merged
    assert merged | set(gathered.missed) == {OTHER, MUTANT}
    return MUTANT in merged


def test_what_is_not_mutated_is_merged(catalog: Catalog, tmp_path: Path) -> None:
    assert publish(tmp_path, a_document(), catalog)


@pytest.mark.thorough
def test_no_mutant_harms_anybody(catalog: Catalog, tmp_path: Path) -> None:
    rng, document = random.Random(1), a_document()
    merged = [publish(tmp_path / str(number), mutated(document, rng), catalog) for number in range(200)]
    assert 5 < sum(merged) < 195  # both kinds are tried: mutants that fit the schema, and mutants that are refused


@pytest.mark.parametrize("key", [*KEYS, "y" * 2000, "z" * 1_000])
def test_a_key_of_any_kind_affects_only_its_own_entry(catalog: Catalog, tmp_path: Path, key: str) -> None:
    document = a_document()
    document["cells"][0][key] = 1
    assert not publish(tmp_path, document, catalog)


COMPARED = MatrixJob(name="python-falcon", frameworks=[MUTANT], base="a" * 40)
PLAN_OF_CHANGES = PLAN.model_copy(update={"commit": "b" * 40, "jobs": [*PLAN.jobs[:1], COMPARED]})


def publish_change(folder: Path, document: Any, catalog: Catalog) -> bool:
    """Does what the last job does, with the document as the comparison of one job. Returns whether it has a record."""
    jobs, results = folder / "jobs", folder / "results"
    path = jobs / "comparison-python-falcon/comparison.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(document))
    merge_results([an_entry(MUTANT, cells=[own_baseline()]), an_entry(OTHER, cells=[beside(1.5)])], {}, results)
    links = a_run("links", profile="links")
    merge_links([an_entry(MUTANT, run=links, cells=[own_baseline(run=links)])], results, catalog)
    changed = append_changes(jobs, PLAN_OF_CHANGES, catalog, results)
    assert len(changed.records) + len(changed.refused) == 1
    latest, links_ = (list(read_folder(results / name).values()) for name in (LATEST, LINKS))
    board = build_board(catalog, latest, links_, gains_of(changed.all))
    assert render_readme(board, catalog, newest_changes(changed.all, titles_of(catalog)))
    assert changes_markdown(changed.records, changed.refused, titles_of(catalog))
    write_speeds(folder / "out", latest, changed.all)
    for regression in open_regressions(changed.all, {}).values():
        assert len(issue_body(regression, None, titles_of(catalog))) < 65_536
    assert dict(build_site(Content(board, catalog, changed.all, [], latest)))
    return bool(changed.records)


def a_compared_document() -> Any:
    change = a_change(Verdict.SLOWER, a_cost(1.06))
    together = Together(verdict=Verdict.SLOWER, cost=a_cost(1.06))
    comparison = a_comparison(changed("Falcon", change, together=together))
    return json.loads(comparison.model_copy(update={"base": "a" * 40, "head": "b" * 40}).model_dump_json())


def test_a_comparison_that_is_not_mutated_has_a_record(catalog: Catalog, tmp_path: Path) -> None:
    assert publish_change(tmp_path, a_compared_document(), catalog)


@pytest.mark.thorough
def test_no_mutant_of_a_comparison_harms_anybody(catalog: Catalog, tmp_path: Path) -> None:
    rng, document = random.Random(2), a_compared_document()
    taken = [publish_change(tmp_path / str(number), mutated(document, rng), catalog) for number in range(60)]
    assert 0 < sum(taken) < 60


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"scenario": "x" * 200}, "at most 200 characters"),
        ({"scenario": "no_such_scenario"}, "python/falcon has no cell hello/no_such_scenario"),
        ({"suite": "hello\n::error::x"}, "no cell"),
        ({"variant": "raw"}, "no cell hello/hello_world/raw"),
    ],
)
def test_a_comparison_of_another_cell_is_refused(
    catalog: Catalog, tmp_path: Path, change: dict[str, str], message: str
) -> None:
    document = a_compared_document()
    document["entries"][0]["cells"][0] |= change
    path = tmp_path / "comparison-python-falcon/comparison.json"
    path.parent.mkdir()
    path.write_text(json.dumps(document))
    refused = gather_changes(tmp_path, PLAN_OF_CHANGES, [], catalog).refused
    assert message in refused[MUTANT]
    assert "\n" not in refused[MUTANT]


@pytest.mark.parametrize(
    ("ratio", "low", "high"), [(1e9, 1e9, 1e9), (1.0, 1.0, 1.0), (1.1, 1.2, 1.0), (2e-9, 2e-9, 1e9)]
)
def test_a_ratio_of_any_kind_breaks_no_board(
    catalog: Catalog, tmp_path: Path, ratio: float, low: float, high: float
) -> None:
    document = a_compared_document()
    cost = {"ratio": ratio, "low": low, "high": high, "starts": 4, "rounds": 48}
    document["entries"][0]["cells"][0]["cost"] = cost
    document["entries"][0]["together"]["cost"] = cost
    publish_change(tmp_path, document, catalog)
