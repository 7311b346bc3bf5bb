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

from restbench.board import build_board
from restbench.catalog import Catalog
from restbench.ci.changes import append_changes
from restbench.ci.gather import gather
from restbench.ci.summary import run_markdown
from restbench.ci.tracker import write_speeds
from restbench.render.markdown_pages import render_pages
from restbench.render.readme import render_readme
from restbench.render.report import render_report
from restbench.results.files import read_folder, write_entry
from restbench.results.merge import LATEST, merge_results
from restbench.results.models import RateKind
from tests.unit.records import START, a_cell, a_failed_cell, a_run, a_run_plan, an_entry, at_rate, baseline, solo

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
OTHERS: list[Any] = [None, True, [], {}, [None], {"a": 1}]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all values in a document, also of those that have other values."""
    yield path
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield from places(child, (*path, key))


def mutated(document: Any, rng: random.Random) -> Any:
    """The document with one to three values replaced, removed or doubled."""
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
    assert render_report(board, catalog, single_run=False)
    assert run_markdown(PLAN, gathered)
    append_changes(jobs, PLAN, catalog, results)
    write_speeds(folder / "out", gathered.results, [])
    merged = {result.entry for result in gathered.results}
    assert OTHER in merged
    assert merged | set(gathered.missed) == {OTHER, MUTANT}
    return MUTANT in merged


def test_what_is_not_mutated_is_merged(catalog: Catalog, tmp_path: Path) -> None:
    assert publish(tmp_path, a_document(), catalog)


def test_no_mutant_harms_anybody(catalog: Catalog, tmp_path: Path) -> None:
    rng, document = random.Random(1), a_document()
    merged = [publish(tmp_path / str(number), mutated(document, rng), catalog) for number in range(200)]
    assert 5 < sum(merged) < 195  # both kinds are tried: mutants that fit the schema, and mutants that are refused
