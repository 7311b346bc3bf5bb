"""Shows that the checks work: each mutant is killed by the check that is there for it."""

import random
import shutil
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from restbench.backends import Backend, make_backend
from restbench.catalog import USUAL_SETUP, Entry, Setup, load_catalog
from restbench.catalog.lacks import REFUSED_COMMENTS, REFUSED_TRAILING_TEXT, SURROGATE_PAIRS
from restbench.catalog.profiles import find_profile
from restbench.conformance import (
    SLOW_SOURCE,
    CheckResult,
    Mismatch,
    after_load,
    under_load,
    verify,
    waits_under_load,
    with_slow_source,
)
from restbench.loadgen import OHA, WRK
from restbench.measure import Event, Plan, run_board
from restbench.measure.events import Failed
from restbench.measure.tools import Tools, app_settings, wait_ready
from restbench.results.journal import Journal
from restbench.system.cpus import this_machine
from restbench.system.repository import find_repository
from restbench.targets import Settings
from restbench.targets.facts import Facts
from restbench.targets.native import NativeRuntime, NativeTarget
from tests.contract.mutant_app import MUTANTS, RIGHT, Mutant
from tests.made.records import MACHINE

pytestmark = [pytest.mark.slow, pytest.mark.thorough, pytest.mark.needs("wrk")]

SOURCE_MS, CROWD_SOURCE_MS = 5, 25
"""How many milliseconds a fetch takes, and one in a crowd.

The first is the most that a verification may draw. With less, an app that waits too briefly answers in time on a busy
machine.
"""

NEEDS_LOAD = {"alive", "under-load"}
"""Checks that find something only under load."""

MANIFEST = """
title = "Mutant"
package = "pypi:starlette"
homepage = "https://starlette.dev"
documentation = ["https://starlette.dev"]
source = "https://starlette.dev"
interface = "asgi"
server = "uvicorn"
app = "mutant_app:app"
[suites]
hello = true
issue-tracker = ["raw"]
workload = ["raw"]
solr = { variants = ["pydantic"], openapi = "/openapi.json" }
"""


@pytest.fixture(scope="module")
def right() -> Entry:
    """The entry from which the mutants are made."""
    return load_catalog(find_repository()).entries["python/starlette"]


@pytest.fixture(scope="module")
def mutated(right: Entry, tmp_path_factory: pytest.TempPathFactory) -> Entry:
    return mutation_of(right, tmp_path_factory.mktemp("mutant"))


def mutation_of(right: Entry, folder: Path) -> Entry:
    """Makes an entry with the app of the mutants, with the environment and the server of the right entry."""
    (folder / "framework.toml").write_text(MANIFEST)
    shutil.copy(Path(__file__).with_name("mutant_app.py"), folder)
    shutil.copy(right.folder / "requirements.txt", folder)
    return replace(right, folder=folder)


@pytest.fixture(scope="module")
def runtime(right: Entry) -> NativeRuntime:
    runtime = NativeRuntime(find_repository())
    runtime.build(right)
    return runtime


@dataclass(frozen=True)
class Found:
    """A verdict, and the seconds after the app's start until it was there."""

    verdict: CheckResult
    seconds: float


def timed(verdicts: Iterable[CheckResult]) -> Generator[Found]:
    began = time.monotonic()
    for verdict in verdicts:
        yield Found(verdict, time.monotonic() - began)


def verdicts(
    runtime: NativeRuntime,
    mutated: Entry,
    right: Entry,
    mutant: str,
    *,
    only_load: bool = False,
    suites: Sequence[str] = ("hello", "issue-tracker", "workload"),
    backend: Backend | None = None,
) -> Generator[Found]:
    """Verifies a mutant, as far as its verdicts are read. `only_load`: not before load.

    Of several cells only that of its killer is verified, where it has one and does not look at others.
    """
    cells = right.by_setup(right.cells(list(suites)))[USUAL_SETUP]
    first, cpus = cells[0], this_machine()
    check = MUTANTS[mutant].killer.rpartition(" ")[2] if mutant in MUTANTS else ""
    if mutant in MUTANTS and check not in ("after-others", "status"):  # an app that hangs has to answer elsewhere
        cells = [cell for cell in cells if name_of(CheckResult(check, cell)) == MUTANTS[mutant].killer] or cells
    slow, waits = check in ("asks-source", "pool"), check == "waits-under-load"
    source = SLOW_SOURCE if slow else {"POOL_LATENCY_MS": str(CROWD_SOURCE_MS if waits else SOURCE_MS)}
    settings = app_settings(cpus, Setup(workers=1) if slow else USUAL_SETUP, backend, source)
    variables = {**settings.variables, "MUTANT": mutant, "MUTATED_ENTRY": str(right.folder)}
    with runtime.target(mutated, replace(settings, variables=variables)) as target:
        wait_ready(target, mutated, first, random.Random(1))
        if slow:
            yield from timed(with_slow_source(target.base_url, mutated, cells, random.Random(1)))
        elif waits:
            yield from timed(waits_under_load(target, mutated, cells, cpus, random.Random(1), CROWD_SOURCE_MS))
        elif only_load:
            yield from timed(under_load(target, mutated, cells, cpus, random.Random(1), backend, SOURCE_MS))
            yield from timed(after_load(target, mutated, cells, random.Random(1)))
        else:
            yield from timed(verify(target, mutated, cells, cpus, seed=1, backend=backend, source_ms=SOURCE_MS))


def name_of(verdict: CheckResult) -> str:
    cell = verdict.cell
    where = "/".join(part for part in (cell.scenario, cell.variant) if part) if cell else ""
    return f"{where} {verdict.check}".strip()


def names(wanted: Callable[[Mutant], object]) -> list[str]:
    return [name for name, mutant in MUTANTS.items() if wanted(mutant)]


def test_every_mutant_has_a_killer() -> None:
    assert all(mutant.killer or mutant.in_a_run for mutant in MUTANTS.values())
    assert len(MUTANTS) >= 64


@pytest.mark.parametrize("changed", RIGHT)
def test_a_right_app_keeps_every_rule(runtime: NativeRuntime, mutated: Entry, right: Entry, changed: str) -> None:
    suites = ("hello", "issue-tracker", "workload") if changed == "none" else ("hello", "issue-tracker")
    checked = list(verdicts(runtime, mutated, right, changed, suites=suites))
    assert len(checked) > 40
    assert [each.verdict for each in checked if not each.verdict.kept] == []


@pytest.mark.parametrize("mutant", names(lambda mutant: mutant.of == "starlette" and mutant.killer))
def test_a_mutant_dies(
    runtime: NativeRuntime, mutated: Entry, right: Entry, mutant: str, record_property: Callable[[str, object], None]
) -> None:
    killer = MUTANTS[mutant].killer
    load = killer.rpartition(" ")[2] in NEEDS_LOAD
    with closing(verdicts(runtime, mutated, right, mutant, only_load=load, suites=suites_of(killer, right))) as found:
        record_property("mutant", killed_by(killer, mutant, found))


def suites_of(killer: str, entry: Entry) -> list[str]:
    """The suite of the killer's scenario. All that need no backend, where it is a check of the whole entry."""
    scenario = killer.partition(" ")[0].partition("/")[0]
    named = {cell.suite for cell in entry.cells(list(entry.suites)) if cell.scenario == scenario}
    return sorted(named) or ["hello", "issue-tracker", "workload"]


@pytest.mark.parametrize(
    ("mutant", "lack"),
    [
        ("escapes-one-by-one", SURROGATE_PAIRS),
        ("reads-comments", REFUSED_COMMENTS),
        ("reads-no-further", REFUSED_TRAILING_TEXT),
        ("reads-the-first-of-two", REFUSED_TRAILING_TEXT),
    ],
)
def test_a_mutant_lives_that_says_what_it_lacks(
    runtime: NativeRuntime, mutated: Entry, right: Entry, mutant: str, lack: str
) -> None:
    """Its manifest does. Every other check of its cell is run."""
    lacking = replace(mutated, manifest=mutated.manifest.model_copy(update={"lacks": [lack]}))
    found = [each.verdict for each in verdicts(runtime, lacking, right, mutant)]
    assert "create-task/raw malformed-json" in map(name_of, found)
    assert [each for each in found if not each.kept] == []


class MutantRuntime(NativeRuntime):
    """Starts a mutant of the right entry in its place."""

    def __init__(self, mutated: Entry, right: Entry, mutant: str) -> None:
        super().__init__(find_repository())
        self._mutated = mutated
        self._variables = {"MUTANT": mutant, "MUTATED_ENTRY": str(right.folder)}

    def target(self, entry: Entry, settings: Settings) -> NativeTarget:
        return super().target(self._mutated, replace(settings, variables={**settings.variables, **self._variables}))


def with_few_cells(entry: Entry, killer: str) -> Entry:
    """The entry with the cell of the issue tracker that the name of a check begins with, and that of userinfo.

    The numbers in answers of userinfo tell how many fetches other cells made.
    """
    (cell,) = (cell for cell in entry.cells(["issue-tracker"]) if killer.startswith(f"{cell.scenario}/{cell.variant}"))
    suite = entry.suites[cell.suite]
    few = [scenario for scenario in suite.scenarios if scenario.name in ("userinfo", cell.scenario)]
    suite = replace(suite, manifest=suite.manifest.model_copy(update={"scenario": few}))
    manifest = entry.manifest.model_copy(update={"suites": {cell.suite: [cell.variant]}})
    return replace(entry, manifest=manifest, suites={**entry.suites, cell.suite: suite})


def failures_in_a_run(
    mutated: Entry, right: Entry, mutant: str, killer: str, tools: Tools, folder: Path
) -> list[Found]:
    """Measures a mutant. Returns why its cells failed."""
    plan = Plan(
        entries=[with_few_cells(right, killer)],
        reference=None,
        baselines={},
        suites=["issue-tracker"],
        tools=tools,
        runtime=MutantRuntime(mutated, right, mutant),
        machine=MACHINE,
        collect=lambda _entry: Facts(),
        make_backend=lambda: pytest.fail("this suite needs no backend"),
    )
    found: list[Found] = []
    began = time.monotonic()

    def note(event: Event) -> None:
        if isinstance(event, Failed) and event.cell:
            broken = Mismatch(event.failure.request or "", event.failure.expected or "", event.failure.got)
            found.append(Found(CheckResult(event.failure.check, event.cell, broken), time.monotonic() - began))

    with Journal(folder / "rounds.jsonl") as journal:
        run_board(plan, journal, note)
    return found


@pytest.mark.parametrize("mutant", names(lambda mutant: mutant.in_a_run))
def test_a_mutant_dies_in_its_rounds(
    mutated: Entry, right: Entry, mutant: str, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """Also without the load that comes before them."""
    killer = MUTANTS[mutant].in_a_run
    profile = find_profile("smoke").model_copy(update={"solo_rounds": 28, "latency_rounds": 0})
    tools = Tools(
        profile,
        this_machine(),
        WRK,
        OHA,
        random.Random(1),
        under_load=lambda *_: iter(()),
        waits_under_load=lambda *_: iter(()),
    )
    found = failures_in_a_run(mutated, right, mutant, killer, tools, tmp_path)
    record_property("mutant", killed_by(killer, mutant, found))


@pytest.mark.parametrize("mutant", names(lambda mutant: mutant.before_its_rounds))
def test_a_mutant_gets_no_round_in_a_run(
    mutated: Entry, right: Entry, mutant: str, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    killer = MUTANTS[mutant].before_its_rounds
    tools = Tools(find_profile("smoke"), this_machine(), WRK, OHA, random.Random(1))
    found = failures_in_a_run(mutated, right, mutant, killer, tools, tmp_path)
    record_property("mutant", killed_by(killer, mutant, found))


def killed_by(killer: str, mutant: str, found: Iterable[Found]) -> tuple[str, str, str, str]:
    """Returns the mutant, the check that killed it, in which second, and what the check saw.

    Fails when it was not that check. What is checked after it is not waited for.
    """
    broken = []
    for each in found:
        if each.verdict.broken:
            broken.append(name_of(each.verdict))
            if broken[-1].endswith(killer):
                return mutant, broken[-1], f"{each.seconds:.1f}", str(each.verdict.broken)
    pytest.fail(f"{mutant} was not killed by {killer}, but by {sorted(broken) or 'nothing'}")


@pytest.fixture(scope="module")
def solr() -> Generator[Backend]:
    cpus = this_machine()
    with make_backend("solr", "native", find_repository(), cpus.backend if cpus.pinned else None) as backend:
        yield backend


@pytest.fixture(scope="module")
def fastapi(runtime: NativeRuntime) -> Entry:
    entry = load_catalog(find_repository()).entries["python/fastapi"]
    runtime.build(entry)
    return entry


@pytest.mark.needs("solr")
@pytest.mark.parametrize("mutant", names(lambda mutant: mutant.of == "solr"))
def test_a_mutant_in_front_of_solr_dies(
    runtime: NativeRuntime,
    fastapi: Entry,
    solr: Backend,
    mutant: str,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    mutated, killer = mutation_of(fastapi, tmp_path), MUTANTS[mutant].killer
    load = killer.rpartition(" ")[2] in NEEDS_LOAD
    with closing(verdicts(runtime, mutated, fastapi, mutant, only_load=load, suites=["solr"], backend=solr)) as found:
        record_property("mutant", killed_by(killer, mutant, found))


@pytest.mark.parametrize("mutant", names(lambda mutant: mutant.of == "fastapi"))
def test_a_mutant_with_declared_types_dies(
    runtime: NativeRuntime, fastapi: Entry, mutant: str, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    mutated = mutation_of(fastapi, tmp_path)
    with closing(verdicts(runtime, mutated, fastapi, mutant, suites=["workload"])) as found:
        record_property("mutant", killed_by(MUTANTS[mutant].killer, mutant, found))
