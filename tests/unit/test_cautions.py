"""What a person should know before they trust a run."""

from restbench.catalog.profiles import load_profiles
from restbench.render.cautions import warnings_of
from restbench.results.models import CellResult, EntryResult, Limit
from tests.made.records import MACHINE, a_cell, a_run, an_entry, around, solo

PROFILES = load_profiles()


def warnings(*cells: CellResult, profile: str = "quick", **machine: object) -> list[str]:
    run = a_run(machine=MACHINE.model_copy(update=machine))
    results = [EntryResult(entry="python/falcon", runs={run.id: run}, cells=list(cells))] if cells else []
    return list(warnings_of(results, PROFILES[profile]))


def test_a_calm_run_is_worth_no_word() -> None:
    assert warnings(a_cell(refused={"errors: read": 1})) == []


def test_nothing_measured_is_nothing_to_warn_of() -> None:
    assert warnings() == []
    assert list(warnings_of([an_entry(cells=[a_cell(solo=solo([]))])], PROFILES["quick"])) == []


def test_many_refused_rounds_are_told_with_the_most_frequent_reason_and_a_remedy() -> None:
    (warning,) = warnings(a_cell(refused={"errors: read": 1, "others used the app's CPUs": 4}))
    assert warning.startswith("5 of 12 rounds were refused, 4 of them because: others used the app's CPUs. Stop other")


def test_cells_of_which_noise_was_the_limit_are_counted() -> None:
    (warning,) = warnings(a_cell(), a_cell(scenario="sprint", solo=solo(around(900), Limit.NOISE)))
    assert warning.startswith("1 of 2 cells were limited by something other than the app")


def test_one_cpu_makes_every_throughput_a_lower_bound() -> None:
    (warning,) = warnings(a_cell(), pinned=False)
    assert warning.startswith("one CPU only")


def test_a_missing_oha_is_told_where_the_profile_asks_for_latencies() -> None:
    (warning,) = warnings(a_cell(), load_generators=())
    assert "oha is missing" in warning
    assert warnings(a_cell(), load_generators=(), profile="pr") == []


def test_an_interpreter_without_pgo_is_told() -> None:
    run = a_run(runtime="CPython 3.13.0", runtime_build="no PGO, no LTO")
    results = [EntryResult(entry="python/falcon", runs={run.id: run}, cells=[a_cell()])]
    (warning,) = warnings_of(results, PROFILES["quick"])
    assert warning.startswith("1 of 1 entries ran on an interpreter that was compiled without profile-guided")
