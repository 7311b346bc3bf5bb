"""Which of two results is published: a short run, another machine or a late job of an older commit replaces nothing."""

from datetime import timedelta
from pathlib import Path

import pytest

from restbench.errors import ResultsError
from restbench.results.files import read_entry, write_entry
from restbench.results.merge import LATEST, LINKS, Precedence, merge, merge_links, merge_results
from restbench.results.models import EntryResult, Failure, Missed, RateKind, Run, SoloRounds
from tests.made.records import (
    FALCON,
    MACHINE,
    START,
    a_cell,
    a_failed_cell,
    a_run,
    an_entry,
    around,
    at_rate,
    baseline,
    own_baseline,
    solo,
)
from tests.made.small import small_catalog

CATALOG = small_catalog()
DAY = timedelta(days=1)
REPLACE = Precedence(replace=True)
OLDER, NEWER = "a" * 40, "b" * 40
LINEAGE = Precedence(lambda one, other: (one, other) == (OLDER, NEWER))


def of(identity: str, profile: str = "full", days: float = 0, **machine: object) -> Run:
    return a_run(identity, START + days * DAY, profile=profile, machine=MACHINE.model_copy(update=machine))


def measured(run: Run, rounds: int = 7) -> EntryResult:
    return an_entry(run=run, cells=[a_cell(run, solo=solo(around(10_000, rounds)))])


def not_run(run: Run, reason: str = "not built: remote unreachable", *, slow: bool = False) -> EntryResult:
    return an_entry(run=run, cells=[a_cell(run, solo=SoloRounds(), not_run=reason, slow_build=slow)])


def published(folder: Path) -> EntryResult:
    return read_entry(folder / LATEST / "python/falcon.json")


def merged(folder: Path, *results: EntryResult, precedence: Precedence = LINEAGE) -> EntryResult:
    for result in results:
        merge_results([result], {}, folder, precedence)
    return published(folder)


@pytest.mark.parametrize("small", ["smoke", "quick", "pr", "links", "unheard-of"])
def test_a_smaller_profile_never_replaces_a_larger_one(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, small: str
) -> None:
    caplog.set_level("INFO", "restbench")
    merge_results([measured(of("full"))], {}, tmp_path)
    merge_results([measured(of("small", small, 1))], {}, tmp_path)
    assert set(published(tmp_path).runs) == {"full"}
    assert caplog.messages == [
        "python/falcon: 1 cell stayed as they were: they are of the profile full, which measures more than " + small
    ]


def test_a_larger_profile_replaces_a_smaller_one(tmp_path: Path) -> None:
    assert set(merged(tmp_path, measured(of("quick", "quick")), measured(of("full", days=1))).runs) == {"full"}


def test_another_machine_replaces_nothing_silently(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "restbench")
    merge_results([measured(of("here"))], {}, tmp_path)
    merge_results([measured(of("there", days=1, machine_class="github-hosted-x86_64-4cpu"))], {}, tmp_path)
    (line,) = caplog.messages
    assert line.startswith("python/falcon: 1 cell were replaced: they are of the machine class local-x86_64-2cpu, ")


@pytest.mark.parametrize(
    ("run", "reason"),
    [
        (of("new", "quick", 1), "they are of the profile full, which measures more than quick"),
        (of("new", days=1, machine_class="local-arm64-8cpu"), "they are of the machine class local-x86_64-2cpu"),
    ],
)
def test_a_merge_by_hand_asks_first(tmp_path: Path, run: Run, reason: str) -> None:
    write_entry(tmp_path / "a", measured(of("old")))
    merge(tmp_path / "a", tmp_path / "results", CATALOG)
    before = {path: path.read_bytes() for path in (tmp_path / "results").rglob("*.json*")}
    write_entry(tmp_path / "b", measured(run))
    write_entry(tmp_path / "b", an_entry("python/starlette", run=run, cells=[a_cell(run)]))
    with pytest.raises(ResultsError, match=reason) as caught:
        merge(tmp_path / "b", tmp_path / "results", CATALOG)
    assert f"nothing was merged; if that is meant: restbench merge {tmp_path}/b --replace" in caught.value.message
    assert {path: path.read_bytes() for path in (tmp_path / "results").rglob("*.json*")} == before
    merge(tmp_path / "b", tmp_path / "results", CATALOG, REPLACE)
    assert set(published(tmp_path / "results").runs) == {"new"}


def test_a_job_that_started_late_on_an_older_commit_replaces_nothing(tmp_path: Path) -> None:
    newer, late = measured(of("newer", commit=NEWER)), measured(of("late", days=1, commit=OLDER))
    for folder, order in (("a", [newer, late]), ("b", [late, newer])):
        assert set(merged(tmp_path / folder, *order).runs) == {"newer"}


def test_without_lineage_the_time_decides(tmp_path: Path) -> None:
    one, other = measured(of("one", commit=None)), measured(of("other", days=1, commit="c" * 40))
    assert set(merged(tmp_path / "a", one, other).runs) == {"other"}
    assert set(merged(tmp_path / "b", other, one).runs) == {"other"}


def test_a_run_of_an_older_commit_that_brought_nothing_marks_nothing(tmp_path: Path) -> None:
    merge_results([measured(of("newer", commit=NEWER))], {}, tmp_path, LINEAGE)
    missed = {FALCON: Missed(started=START + 8 * DAY, reason="its job was cancelled")}
    merge_results([], missed, tmp_path, LINEAGE, commit=OLDER)
    assert published(tmp_path).missed is None
    merge_results([], missed, tmp_path, LINEAGE, commit=NEWER)
    assert published(tmp_path).missed is not None


def test_older_links_replace_no_newer_ones(tmp_path: Path) -> None:
    newer = of("newer", LINKS, commit=NEWER)
    late = of("late", LINKS, 1, commit=OLDER)
    merge_links([an_entry(run=newer, cells=[own_baseline(run=newer)])], tmp_path, CATALOG, LINEAGE)
    with pytest.raises(ResultsError, match="the last links stay: they are newer than this run"):
        merge_links([an_entry(run=late, cells=[own_baseline(run=late)])], tmp_path, CATALOG, LINEAGE)


def test_links_that_are_merged_again_keep_the_costs_of_earlier_ones(tmp_path: Path) -> None:
    for number in (0, 1, 1):
        run = of(f"links-{number}", LINKS, 7 * number)
        merge_links([an_entry(run=run, cells=[own_baseline(run=run)])], tmp_path, CATALOG)
    (cell,) = read_entry(tmp_path / LINKS / "python/falcon.json").cells
    assert len(cell.earlier) == 1


def test_a_run_that_was_resumed_replaces_its_own_part(tmp_path: Path) -> None:
    run = of("resumed")
    part, whole = measured(run, 3), measured(run.model_copy(update={"memory_peak_bytes": 7}), 7)
    for result in (part, whole, part, whole):
        found = merged(tmp_path, result)
    (cell,) = found.cells
    assert cell.solo.count == 7
    assert found.runs["resumed"].memory_peak_bytes == 7


def test_a_run_that_was_resumed_keeps_the_costs_of_earlier_ones(tmp_path: Path) -> None:
    def week(number: int, rounds: int, requests: int) -> EntryResult:
        run = of(f"week-{number}", days=7 * number)
        rounds_ = baseline(around(90, rounds), "python/flask")
        latency = [at_rate(RateKind.COMMON, 1000, requests=requests)]
        cell = a_cell(run, solo=solo(around(10_000, rounds)), baseline=rounds_, latency=latency)
        return an_entry(run=run, cells=[cell])

    (cell,) = merged(tmp_path, week(0, 7, 500), week(1, 3, 200), week(1, 7, 500), week(1, 7, 500)).cells
    assert (cell.solo.count, len(cell.earlier)) == (7, 1)
    assert cell.latency[0].histogram.total == 700  # the requests of one run are never counted twice


def test_what_a_machine_could_not_measure_keeps_its_last_figures_with_the_reason(tmp_path: Path) -> None:
    found = merged(tmp_path, measured(of("good")), not_run(of("down", days=7)), not_run(of("down", days=7)))
    (cell,) = found.cells
    assert (cell.run, cell.solo.count) == ("good", 7)
    assert cell.missed == Missed(started=START + 7 * DAY, reason="not built: remote unreachable")
    (again,) = merged(tmp_path, measured(of("again", days=14))).cells
    assert (again.run, again.missed) == ("again", None)


def test_a_machine_that_fails_takes_no_failure_back(tmp_path: Path) -> None:
    wrong = of("wrong")
    (cell,) = merged(tmp_path, an_entry(run=wrong, cells=[a_failed_cell(wrong)]), not_run(of("down", days=7))).cells
    assert cell.failure
    assert cell.missed


def test_a_new_entry_that_could_not_be_built_is_not_measured_and_has_not_failed(tmp_path: Path) -> None:
    (cell,) = merged(tmp_path, not_run(of("down"))).cells
    assert (cell.failure, cell.not_run) == (None, "not built: remote unreachable")


@pytest.mark.parametrize("known", [True, False])
def test_a_build_that_runs_out_of_time_is_a_failure_the_second_time_in_a_row(tmp_path: Path, *, known: bool) -> None:
    before = [measured(of("good"))] if known else []
    slow = [not_run(of(f"slow-{number}", days=7 * number), "it takes too long", slow=True) for number in (1, 2)]
    (once,) = merged(tmp_path, *before, slow[0], slow[0]).cells
    assert once.failure is None
    (twice,) = merged(tmp_path, slow[1]).cells
    assert twice.failure == Failure(check="build", got="it takes too long; it was so in two runs in a row")
    assert twice.last_good == (START if known else None)


def test_a_build_in_time_between_two_slow_ones_breaks_the_row(tmp_path: Path) -> None:
    slow = [not_run(of(f"slow-{number}", days=number), slow=True) for number in (1, 3)]
    (cell,) = merged(tmp_path, slow[0], measured(of("good", days=2)), slow[1]).cells
    assert (cell.run, cell.failure) == ("good", None)


def test_a_run_without_a_server_between_two_slow_builds_does_not_break_the_row(tmp_path: Path) -> None:
    slow = [not_run(of(f"slow-{number}", days=number), slow=True) for number in (1, 3)]
    (cell,) = merged(tmp_path, measured(of("good")), slow[0], not_run(of("down", days=2)), slow[1]).cells
    assert cell.failure


def test_a_baseline_that_could_not_be_built_costs_no_row_its_relative_cost(tmp_path: Path) -> None:
    good, down = of("good"), of("down", days=7)
    compared = a_cell(good, baseline=baseline([100] * 7, "python/flask"))
    without = a_cell(down, no_baseline="the baseline was not measured: no server", baseline_missed=True)
    (cell,) = merged(tmp_path, an_entry(run=good, cells=[compared]), an_entry(run=down, cells=[without])).cells
    assert cell.run == "good"
    assert cell.missed
    assert "the baseline was not measured" in cell.missed.reason
