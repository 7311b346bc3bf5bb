"""A small made site: the made board, what earlier runs found, and what changed between them."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from random import Random

from restbench.board import build_board
from restbench.catalog import Catalog
from restbench.catalog.manifests import ReadmeSelection
from restbench.changes.comparison import Cause, CauseKind
from restbench.changes.records import ChangeRecord, uncompared_record
from restbench.results.history import Found, History, history_lines
from restbench.site.pages import Content
from tests.made.boards import COSTS, WHEN, machine, made_catalog, made_results
from tests.made.changes import a_cell_cost, a_commit, a_record
from tests.made.records import FALCON, a_run
from tests.made.results import made_result

FASTAPI, STARLETTE = "python/fastapi", "python/starlette"

SLOWER = "0.139.0"
"""The version of FastAPI that needs more CPU time than the one before it."""

EARLIER = ((6, "0.138.0", 0.8), (5, "0.138.0", 0.8), (1, SLOWER, 0.95))
"""Earlier runs: how many weeks ago, FastAPI's version, and its cost as a share of that in the newest run."""


def made_content() -> Content:
    """A site with an address. FastAPI fails in the newest run and lacks pipelining. Starlette became slower."""
    catalog = _catalog()
    results = made_results(catalog)
    found = [*_earlier(catalog), *(lines for result in results for lines in history_lines(result))]
    history = History({run.run: run for run, _ in found}, [line for _, line in found])
    return Content(
        build_board(catalog, results),
        catalog,
        made_records(),
        [history],
        results,
        "https://example.org/board/",
        "https://code.example.org/board",
    )


def _catalog() -> Catalog:
    catalog = made_catalog()
    fastapi = catalog.entries[FASTAPI]
    manifest = fastapi.manifest.model_copy(update={"lacks": ["pipelining"], "notes": ["It is made up."]})
    entries = {**catalog.entries, FASTAPI: replace(fastapi, manifest=manifest)}
    readme = ReadmeSelection(summary=["hello/hello_world"])
    return replace(catalog, entries=entries, selections=catalog.selections.model_copy(update={"readme": readme}))


def _earlier(catalog: Catalog) -> Iterator[Found]:
    """What earlier runs found. The newest of them did not measure Starlette."""
    for weeks, version, share in EARLIER:
        at = WHEN - timedelta(weeks=weeks)
        for entry in catalog.entries.values():
            if entry.id != STARLETTE or weeks > 1:
                run = a_run(f"{at:%Y%m%dT%H%M%SZ}-00000001", at, machine=machine(), version=version)
                costs = COSTS | {FASTAPI: COSTS[FASTAPI] * share}
                result = made_result(catalog, entry, run, costs, Random(f"{entry.id} {weeks}"), "0123456789ab")
                yield from history_lines(result)


def made_records() -> list[ChangeRecord]:
    """Of each kind one or more."""
    own = Cause(kind=CauseKind.FRAMEWORK, name="fastapi", before="0.138.0", after=SLOWER)
    other = Cause(kind=CauseKind.DEPENDENCY, name="msgspec", after="0.20.0")
    weeks = [WHEN - timedelta(weeks=number) for number in range(6)]
    cells = {"hello/hello_world": 1.02, "issue-tracker/sprint/pydantic": 1.31, "issue-tracker/userinfo/raw": 1.004}
    slower = a_record(
        FASTAPI,
        1.19,
        number=1,
        at=weeks[2],
        version_before="0.138.0",
        version=SLOWER,
        causes=[own, other],
        cells={name: a_cell_cost(ratio) for name, ratio in cells.items()},
    )
    why = f"commit {a_commit(7)[:10]}, of its last results, is not in the history of this branch"
    return [
        a_record(STARLETTE, 1.06, number=2, at=weeks[5]),
        *(a_record(FALCON, 1.0, number=number, at=weeks[4]) for number in (3, 5)),
        a_record("python/removed", 0.9, number=4, at=weeks[3], causes=[other]),
        slower,
        uncompared_record(FASTAPI, a_commit(7), a_commit(8), weeks[1], why, "docker"),
    ]
