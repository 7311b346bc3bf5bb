"""Base and head in pairs: what is claimed, what is not, and how it is told."""

import random
from dataclasses import replace
from math import exp
from pathlib import Path

import pytest

from restbench.catalog import Catalog
from restbench.ci.changes import base_of
from restbench.ci.comparison import (
    Comparison,
    EntryComparison,
    Verdict,
    compare_cells,
    describe_new,
    overall,
    usual_ratios,
)
from restbench.ci.summary import LONGEST, comparison_markdown
from restbench.measure.schedule import paired_order
from restbench.profiles import find_profile
from restbench.results.journal import Journal
from restbench.results.models import CellResult, EntryResult
from restbench.stats.pairs import ratio_of_pairs
from tests.unit.fakes import World
from tests.unit.plans import plan_of, run
from tests.unit.records import a_cell, a_failed_cell, a_round, an_entry

SHA = "0123456789" * 4


def measured(*throughputs: float, scenario: str = "hello_world") -> CellResult:
    return a_cell(scenario=scenario, rounds=[a_round(i, t) for i, t in enumerate(throughputs)])


def entry_of(*cells: CellResult) -> EntryResult:
    return an_entry(cells=list(cells))


def verdict(base: CellResult, head: CellResult) -> Verdict:
    (change,) = compare_cells(entry_of(base), entry_of(head))
    return change.verdict


BASE = (10_000, 10_100, 9_900, 10_050, 9_950, 10_000)
NOISY = (8_000, 12_000, 9_000, 11_500, 10_500, 9_500)


def scaled(by: float, jitter: float = 0.002) -> list[float]:
    return [t * by * (1 + jitter * (-1) ** i) for i, t in enumerate(BASE)]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (scaled(1.10), Verdict.FASTER),
        (scaled(0.90), Verdict.SLOWER),
        (scaled(1.00), Verdict.SAME),
        (scaled(1.01), Verdict.SAME),  # certain, and too small for anybody to act on
        ([t * 1.1 for t in NOISY], Verdict.SAME),  # of pairs that differ as much among themselves
        ([10_500], Verdict.UNKNOWN),
    ],
)
def test_verdicts(head: list[float], expected: Verdict) -> None:
    assert verdict(measured(*BASE), measured(*head)) == expected


def test_what_the_machine_did_to_both_is_no_difference() -> None:
    """In half of the rounds the CPUs are twice as slow: for base and head alike."""
    slow = [t / (2 if i % 2 else 1) for i, t in enumerate(BASE)]
    same = [t * (1 + 0.003 * (-1) ** (i // 2)) for i, t in enumerate(slow)]
    assert verdict(measured(*slow), measured(*same)) == Verdict.SAME
    assert verdict(measured(*slow), measured(*[t * 1.08 for t in same])) == Verdict.FASTER


def test_a_head_that_fails_has_no_figure_and_says_why() -> None:
    (change,) = compare_cells(entry_of(measured(*BASE)), entry_of(a_failed_cell()))
    assert (change.verdict, change.throughput) == (Verdict.FAILED, None)
    assert change.why == "answer: GET /hello_world: expected Hello World, got 200 text/plain: Hi"


def test_a_base_that_failed_is_mended() -> None:
    assert verdict(a_failed_cell(), measured(*BASE)) == Verdict.MENDED


def test_rounds_that_do_not_count_are_no_pairs() -> None:
    head = a_cell(rounds=[a_round(i, t, invalid=["busy"] if i < 4 else []) for i, t in enumerate(scaled(2.0))])
    (change,) = compare_cells(entry_of(measured(*BASE)), entry_of(head))
    assert change.throughput is not None
    assert change.throughput.pairs == 2
    assert change.verdict == Verdict.SAME  # two pairs are too few to claim anything


def test_of_a_hundred_comparisons_with_itself_about_five_claim_a_difference() -> None:
    """Twenty cells of six pairs with 5 % of noise each, 200 times: at most 8 % claim any difference at all."""
    rng, wrong = random.Random(7), 0
    for _ in range(200):
        pairs = [[(1.0, exp(rng.gauss(0, 0.05))) for _ in range(6)] for _ in range(20)]
        wrong += any(ratio_of_pairs(each, looked_at=20).certain for each in pairs)
    assert wrong <= 16


def test_a_difference_of_five_per_cent_is_found_at_one_per_cent_of_noise() -> None:
    rng, found = random.Random(7), 0
    for _ in range(100):
        pairs = [(1.0, 1.05 * exp(rng.gauss(0, 0.01))) for _ in range(6)]
        found += ratio_of_pairs(pairs, looked_at=40).certain
    assert found >= 90


def test_all_cells_together_tell_more_than_one() -> None:
    names = ("hello_world", "sprint", "userinfo", "create-task")
    # each cell varies by 5 %, and no two of them at the same time
    heads = [[t * 1.03 * exp(0.05 * (-1) ** (i + k)) for i, t in enumerate(BASE)] for k in range(len(names))]
    base = entry_of(*(measured(*BASE, scenario=name) for name in names))
    head = entry_of(*(measured(*t, scenario=name) for name, t in zip(names, heads, strict=True)))
    throughput, cpu = overall(base, head)
    assert throughput is not None
    assert cpu is not None
    assert throughput.middle == pytest.approx(1.03)
    assert throughput.matters
    assert {c.verdict for c in compare_cells(base, head)} == {Verdict.SAME}


def test_a_new_entry_is_told_by_the_reference_and_its_language() -> None:
    others = [
        an_entry(f"python/{n}", cells=[measured(speed, speed)]) for n, speed in (("a", 4e3), ("b", 6e3), ("c", 9e3))
    ]
    usual = usual_ratios(others, "native")
    assert usual == {("hello", "hello_world", None): pytest.approx(0.06)}
    assert not usual_ratios(others, "docker")
    (cell,) = describe_new(entry_of(measured(*BASE)), usual)
    assert cell.of_reference == pytest.approx(0.1, rel=0.01)
    assert cell.usual == pytest.approx(0.06)


def test_both_versions_are_visited_one_after_the_other(catalog: Catalog, journal: Journal) -> None:
    world, falcon = World(), catalog.entries["python/falcon"]
    base = base_of(falcon, catalog)
    assert base is not None
    plan = plan_of(catalog, world, reference=None, suites=["hello", "issue-tracker"])
    profile = find_profile("pr")
    plan = replace(plan, entries=[base, falcon], tools=replace(plan.tools, order=paired_order, profile=profile))
    outcome, _ = run(plan, journal)
    assert [r.entry for r in outcome.results] == ["python/falcon@base", "python/falcon"]
    visits = [line.split()[:3] for line in world.said("wrk ")]
    pairs = list(zip(visits[::2], visits[1::2], strict=True))
    assert all(first[1:] == second[1:] for first, second in pairs)
    assert all({first[0], second[0]} == {"python/falcon", "python/falcon@base"} for first, second in pairs)
    assert len({first[0] for first, _ in pairs}) == 2  # now one comes first, now the other
    assert not world.said("oha")


def test_the_profile_for_pull_requests_leaves_batches_out(catalog: Catalog) -> None:
    scenarios = catalog.suites["workload"].scenarios
    measures = {s.name for s in scenarios if find_profile("pr").measures(s)}
    assert measures == {s.name for s in scenarios if s.batch is None}
    assert all(find_profile("full").measures(s) for s in scenarios)


def a_comparison(*entries: EntryComparison) -> Comparison:
    return Comparison(base=SHA, head=SHA, profile="pr", machine="local", minutes=4.2, entries=list(entries))


def changed(title: str = "Falcon", *heads: list[float]) -> EntryComparison:
    base, head = entry_of(measured(*BASE)), entry_of(measured(*(heads[0] if heads else scaled(1.0))))
    throughput, cpu = overall(base, head)
    return EntryComparison(
        entry="python/falcon",
        title=title,
        base_version="4.0.0",
        version="4.1.0",
        status="changed",
        cells=compare_cells(base, head),
        throughput=throughput,
        cpu=cpu,
    )


def test_no_difference_is_said_so_and_the_cells_are_folded() -> None:
    text = comparison_markdown([a_comparison(changed())])
    assert "### Falcon (python/falcon) 4.0.0 → 4.1.0\n" in text
    assert "**No difference seen**. All cells together: throughput " in text
    assert text.index("<details>") < text.index("| hello |")


def test_a_difference_is_in_the_open() -> None:
    text = comparison_markdown([a_comparison(changed("Falcon", scaled(0.8)))])
    assert "**1 slower**, of 1 cells. All cells together: throughput −20.0 % (−20." in text
    assert "<details>" not in text


def test_nothing_changed_is_said_so() -> None:
    assert comparison_markdown([]) == "No entry is changed by this: there was nothing to measure.\n"
    assert comparison_markdown([a_comparison()]) == comparison_markdown([])


def test_a_title_is_text_and_not_markup() -> None:
    text = comparison_markdown([a_comparison(changed("<b>Falcon</b> | [x](http://evil)"))])
    assert "<b>" not in text
    assert "[x](" not in text


def test_a_long_report_is_cut_where_a_comment_can_hold_it() -> None:
    many = [changed(f"Framework {i}").model_copy(update={"entry": f"python/x{i}"}) for i in range(300)]
    text = comparison_markdown([a_comparison(*many)])
    assert len(text) < LONGEST + 200
    assert text.count("<details>") == text.count("</details>")
    assert text.endswith("Cut here: all of it is in the job summary.\n")


def test_a_comparison_comes_back_as_it_was(tmp_path: Path) -> None:
    comparison = a_comparison(changed())
    path = tmp_path / "comparison.json"
    path.write_text(comparison.model_dump_json())
    assert Comparison.model_validate_json(path.read_text()) == comparison
