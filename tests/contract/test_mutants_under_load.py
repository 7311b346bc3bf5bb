"""Runs of bench find apps that are wrong only where they are measured."""

import random
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from restbench.catalog import Entry, load_catalog
from restbench.catalog.profiles import find_profile
from restbench.loadgen import OHA, WRK
from restbench.loadgen import wrk as wrk_
from restbench.measure import Event, Plan, run_board
from restbench.measure.events import Failed
from restbench.measure.outcome import Outcome
from restbench.measure.tools import Tools
from restbench.results.journal import Journal
from restbench.system.cpus import this_machine
from restbench.system.repository import find_repository
from restbench.targets import Settings
from restbench.targets.facts import Facts
from restbench.targets.native import NativeRuntime, NativeTarget
from tests.contract.mutants_under_load import ROUND_SECONDS, UNDER_LOAD, runs
from tests.made.records import MACHINE

pytestmark = [pytest.mark.slow, pytest.mark.thorough, pytest.mark.needs("wrk")]

MANIFEST = """
title = "Mutant"
package = "pypi:starlette"
homepage = "https://starlette.dev"
documentation = ["https://starlette.dev"]
source = "https://starlette.dev"
interface = "asgi"
server = "uvicorn"
app = "tests.contract.mutants_under_load:app"
[suites]
hello = true
issue-tracker = ["raw"]
workload = ["raw"]
"""
RUNS = runs()
BESIDE = {"update-task": "userinfo", "timed": "simple"}
"""Scenarios whose checks ask for another one: how many fetches there were, and what does not wait."""
ROUNDS = {"silent": 1}
DRAIN_SECONDS = 1
"""How long the answers of a silent app are waited for: shorter than usual, as it stays silent."""


class MutantRuntime(NativeRuntime):
    """Starts the right entry with mutants around its app."""

    def __init__(self, right: Entry, names: Iterable[str], folder: Path) -> None:
        super().__init__(find_repository())
        self._mutated = replace(right, folder=folder)
        self._variables = {"MUTANTS": ",".join(names), "MUTATED_ENTRY": str(right.folder)}
        (folder / "framework.toml").write_text(MANIFEST)
        (folder / "tests/contract").mkdir(parents=True)
        for module in ("mutant_app.py", "mutants_under_load.py"):
            shutil.copy(Path(__file__).with_name(module), folder / "tests/contract")
        shutil.copy(right.folder / "requirements.txt", folder)

    def target(self, entry: Entry, settings: Settings) -> NativeTarget:
        return super().target(self._mutated, replace(settings, variables={**settings.variables, **self._variables}))


def with_scenarios(entry: Entry, names: set[str]) -> Entry:
    """The entry with the cells of these scenarios."""
    suites = {}
    for name, suite in entry.suites.items():
        if few := [scenario for scenario in suite.scenarios if scenario.name in names]:
            suites[name] = replace(suite, manifest=suite.manifest.model_copy(update={"scenario": few}))
    chosen = {name: entry.manifest.suites[name] for name in suites}
    return replace(
        entry, manifest=entry.manifest.model_copy(update={"suites": chosen}), suites={**entry.suites, **suites}
    )


@dataclass(frozen=True)
class Ran:
    """What a run said. `deaths`: which cell failed, and after how many seconds."""

    deaths: list[tuple[float, Failed]]
    outcome: Outcome


def run(names: list[str], folder: Path, scenarios: set[str], *, rounds: int, latency: int = 0) -> Ran:
    """Runs bench with mutants. `rounds`: how many solo rounds and batches each cell gets."""
    right = load_catalog(find_repository()).entries["python/starlette"]
    entry = with_scenarios(right, scenarios | {other for name, other in BESIDE.items() if name in scenarios})
    short = dict.fromkeys(("warm_up_seconds", "longest_warm_up_seconds", "solo_seconds"), ROUND_SECONDS)
    profile = find_profile("smoke").model_copy(
        update={**short, "solo_rounds": rounds, "batch_rounds": rounds, "latency_rounds": latency}
    )
    plan = Plan(
        entries=[entry],
        reference=None,
        baselines={},
        suites=list(entry.manifest.suites),
        tools=Tools(profile, this_machine(), WRK, OHA, random.Random(1), sleep=lambda _seconds: None),
        runtime=MutantRuntime(right, names, folder),
        machine=MACHINE,
        collect=lambda _entry: Facts(),
        make_backend=lambda: pytest.fail("these suites need no backend"),
    )
    deaths: list[tuple[float, Failed]] = []
    began = time.monotonic()

    def note(event: Event) -> None:
        if isinstance(event, Failed):
            deaths.append((time.monotonic() - began, event))

    with Journal(folder / "rounds.jsonl") as journal:
        outcome = run_board(plan, journal, note)
    return Ran(deaths, outcome)


@pytest.mark.parametrize("name", RUNS)
def test_a_run_finds_what_is_wrong_under_load(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record_property: Callable[[str, object], None]
) -> None:
    if name == "silent":
        monkeypatch.setattr(wrk_, "DRAIN_SECONDS", DRAIN_SECONDS)
    if name == "latency" and (missing := OHA.unavailable_reason()):
        pytest.skip(missing)
    mutants = {each: UNDER_LOAD[each] for each in RUNS[name]}
    scenarios = {mutant.scenario for mutant in mutants.values()} - {""} or {"hello_world"}
    ran = run(RUNS[name], tmp_path, scenarios, rounds=ROUNDS.get(name, 3), latency=1 if name == "latency" else 0)
    wrong = []
    for each, mutant in mutants.items():
        death = next(of_scenario(ran, mutant.scenario), None)
        if death is None or death[1].failure.check not in (*mutant.checks, "under-load"):
            if not mutant.survives:
                wrong.append(f"{each}: {death[1].failure if death else 'nothing was found'}")
        elif mutant.survives:
            wrong.append(f"{each} was found, although it survives because {mutant.survives}: {death[1].failure}")
        else:
            seconds, failed = death
            check = f"{mutant.scenario} {failed.failure.check}".strip()
            record_property("mutant", (each, check, f"{seconds:.1f}", str(failed.failure)))
    assert not wrong, "\n".join(wrong)


def of_scenario(ran: Ran, scenario: str) -> Iterator[tuple[float, Failed]]:
    """The deaths of the cell of a scenario; where a mutant has none, all."""
    for seconds, failed in ran.deaths:
        if not scenario or (failed.cell and failed.cell.scenario == scenario):
            yield seconds, failed


def test_every_scenario_that_is_loaded_in_the_usual_setup_has_a_mutant() -> None:
    assert {mutant.scenario for mutant in UNDER_LOAD.values()} >= {
        "hello_world", "userinfo", "sprint", "create-task", "update-task", "simple", "timed", "bcrypt",
        "queue-0ms-all-near",
    }  # fmt: skip
    assert len(UNDER_LOAD) >= 30
