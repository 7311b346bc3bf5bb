"""A run that was ended is taken up, and measures what is missing."""

from pathlib import Path

import pytest

from restbench.catalog import Catalog, Entry
from restbench.commands.bench import check_same
from restbench.errors import Interrupted, ResultsError, UsageError
from restbench.measure import Outcome, Plan
from restbench.results.journal import Journal, Unfinished, read_unfinished
from restbench.results.models import EntryResult
from restbench.results.rounds import SoloRound
from tests.unit.fakes import World
from tests.unit.plans import plan_of, run, without_repeats

SUITES = ["hello", "workload"]
"""The queue's workers make three teams of it."""


def ended_at(load: int) -> World:
    """A world in which Ctrl-C comes with that load of wrk or oha."""
    loads: list[str] = []

    def count(path: str) -> None:
        loads.append(path)
        if len(loads) == load:
            raise Interrupted

    return World(on_load=count)


def run_into(path: Path, plan: Plan, taken_up: Unfinished | None = None) -> Outcome:
    """Runs the plan with that journal, and takes up a run of it."""
    with Journal(path, taken_up) as journal:
        return run(plan, journal, taken_up)[0]


def rounds_of(outcome: Outcome) -> dict[str, tuple[int, int]]:
    """How many solo rounds each cell has, and at how many rates it has latencies, whether or not they count.

    This machine may be busy.
    """
    return {
        f"{result.entry} {cell.key}": (cell.solo.count + sum(cell.refused.values()), len(cell.latency))
        for result in outcome.results
        for cell in result.cells
    }


@pytest.mark.parametrize("load", [30, 90, 150])
def test_a_run_that_is_taken_up_ends_as_one_that_was_not_ended(catalog: Catalog, tmp_path: Path, load: int) -> None:
    whole = run_into(tmp_path / "whole.jsonl", without_repeats(plan_of(catalog, World(), suites=SUITES)))
    path = tmp_path / "rounds.jsonl"
    first = run_into(path, without_repeats(plan_of(catalog, ended_at(load), suites=SUITES)))
    assert first.interrupted
    before, unfinished = path.read_bytes(), read_unfinished(path)
    second = run_into(path, without_repeats(plan_of(catalog, World(), suites=SUITES)), unfinished)
    assert not second.interrupted
    assert rounds_of(second) == rounds_of(whole)
    assert path.read_bytes().startswith(before)
    assert {run for result in second.results for run in result.runs} == {unfinished.asked.run}


def test_a_line_that_was_being_written_is_cut_off(catalog: Catalog, tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl"
    run_into(path, plan_of(catalog, ended_at(30), suites=SUITES))
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"job":0,"cell":"python/fal')
    unfinished = read_unfinished(path)
    assert unfinished.end == len(whole)
    with Journal(path, unfinished):
        pass
    assert path.read_bytes() == whole


def test_what_cannot_be_taken_up_is_reported_in_a_line(catalog: Catalog, tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl"
    with pytest.raises(ResultsError, match="there is no run to resume"):
        read_unfinished(path)
    with Journal(path) as journal:
        run(plan_of(catalog, World()), journal)
        journal.finish()
    with pytest.raises(ResultsError, match="was finished: there is nothing to resume"):
        read_unfinished(path)
    path.write_text('{"cell": "python/falcon/hello/hello_world"}\n')
    with pytest.raises(ResultsError, match="is no journal of this version"):
        read_unfinished(path)


def test_the_last_run_stays_until_a_round_is_finished(catalog: Catalog, tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl"
    path.write_text("the last run\n")
    outcome = run_into(path, plan_of(catalog, ended_at(2)))
    assert not outcome.measured
    assert [p.name for p in tmp_path.iterdir()] == ["rounds.jsonl"]
    assert path.read_text() == "the last run\n"


def test_each_entry_is_kept_as_soon_as_it_is_finished(catalog: Catalog, tmp_path: Path) -> None:
    results: list[EntryResult] = []
    seen: list[int] = []
    world = World(on_load=lambda _path: seen.append(len(results)))
    patterns = " ".join(entry.id for entry in catalog.ranked)
    plan = plan_of(catalog, world, patterns=patterns, reference=None, baselines={})
    with Journal(tmp_path / "rounds.jsonl") as journal:
        outcome, _ = run(plan, journal, results=results)
    assert sorted(result.entry for result in results) == sorted(result.entry for result in outcome.results)
    assert 0 < seen[-1] < len(results), "all were given at the end"
    assert {r.entry: r for r in results} == {r.entry: r for r in outcome.results}


def test_rounds_of_the_same_cell_in_two_jobs_are_distinguished(catalog: Catalog, tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl"
    patterns = " ".join(entry.id for entry in catalog.ranked)
    plan = without_repeats(plan_of(catalog, World(), patterns=patterns))
    run_into(path, plan)
    rounds = read_unfinished(path).rounds
    assert len([job for job, cell in rounds if cell.startswith("reference/")]) > 1
    solo = {sum(isinstance(each, SoloRound) for each in seen) for seen in rounds.values()}
    assert solo == {plan.tools.profile.solo_rounds}


def test_what_a_killed_run_left_beside_the_journal_replaces_nothing(catalog: Catalog, tmp_path: Path) -> None:
    """A second run was begun, and killed before its first round."""
    path = tmp_path / "rounds.jsonl"
    run_into(path, plan_of(catalog, ended_at(30), suites=SUITES))
    whole = path.read_bytes()
    (tmp_path / ".rounds.jsonl").write_text("")
    unfinished = read_unfinished(path)
    run_into(path, without_repeats(plan_of(catalog, World(), suites=SUITES)), unfinished)
    assert path.read_bytes().startswith(whole)
    assert len(read_unfinished(path).rounds) >= len(unfinished.rounds)
    assert [found.name for found in tmp_path.iterdir()] == ["rounds.jsonl"]


def test_a_run_that_is_ended_again_has_the_rounds_of_teams_that_it_did_not_come_to(
    catalog: Catalog, tmp_path: Path
) -> None:
    path = tmp_path / "rounds.jsonl"
    first = run_into(path, without_repeats(plan_of(catalog, ended_at(150), suites=SUITES)))
    again = run_into(path, plan_of(catalog, ended_at(1), suites=SUITES), read_unfinished(path))
    assert again.interrupted
    measured = {key: rounds for key, (rounds, _) in rounds_of(first).items() if rounds}
    assert {key: rounds for key, (rounds, _) in rounds_of(again).items() if rounds} == measured


@pytest.mark.parametrize("changed", ["python/fastapi", "python/falcon", "reference/nginx"])
def test_a_resume_sees_a_change_of_an_entry_its_baseline_and_the_reference(
    catalog: Catalog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    path, plan = tmp_path / "rounds.jsonl", plan_of(catalog, ended_at(20), patterns="python/fastapi")
    run_into(path, plan)
    unfinished = read_unfinished(path)
    check_same(unfinished, plan)
    real = Entry.files_hash
    monkeypatch.setattr(Entry, "files_hash", lambda entry: "x" if entry.id == changed else real(entry))
    with pytest.raises(UsageError, match=f"{changed}: changed since that run: start anew without --resume"):
        check_same(unfinished, plan)


def test_rounds_that_were_refused_are_measured_again(catalog: Catalog, tmp_path: Path) -> None:
    """Other programs used the CPUs all the time, and are done when the run is taken up."""
    path = tmp_path / "rounds.jsonl"
    busy = run_into(path, without_repeats(plan_of(catalog, World(others=True))))
    assert busy.shortage
    assert busy.shortage.lacking == busy.shortage.cells
    assert busy.shortage.disturbed == busy.shortage.rounds
    again = run_into(path, without_repeats(plan_of(catalog, World())), read_unfinished(path))
    assert again.shortage is None
    wanted = plan_of(catalog, World()).tools.profile.solo_rounds
    for result in again.results:
        for cell in result.cells:
            assert (cell.solo.count, sum(cell.refused.values())) == (wanted, wanted)
            assert cell.disturbed_throughput is None
