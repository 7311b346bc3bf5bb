"""What a comparison found, as Markdown and as comparison.json."""

import json
from pathlib import Path

import pytest
from pydantic import ValidationError

from restbench.compare.models import Comparison, EntryComparison, NewCell, Together, Verdict
from restbench.compare.summary import LONGEST, comparison_markdown
from tests.made.changes import a_change, a_comparison, a_cost, changed


def shown(*entries: EntryComparison) -> str:
    return comparison_markdown([a_comparison(*entries)])


def test_no_difference_is_said_so_and_the_cells_are_folded() -> None:
    text = shown(changed())
    assert "### Falcon (python/falcon) 4.0.0 → 4.1.0\n" in text
    assert "**No difference seen** in 1 cell." in text
    assert text.index("<details>") < text.index("| hello |")
    assert "| +0.0\u00a0%\u00a0(−0.9\u00a0to\u00a0+0.9) | no difference seen |" in text


def test_a_difference_is_in_the_open_and_in_plain_words() -> None:
    together = Together(verdict=Verdict.FASTER, cost=a_cost(0.959))
    text = shown(changed("Falcon", a_change(Verdict.FASTER, a_cost(0.95)), together=together))
    assert (
        "**1 faster**, of 1 cell. All cells together: 4.1 % less CPU time per request (3.2 to 5.0), seen twice: "
        "4.3 % faster."
    ) in text
    assert "| 5.3 % faster, seen twice |" in text
    assert "<details>" not in text


def test_what_costs_more_is_slower() -> None:
    together = Together(verdict=Verdict.SLOWER, cost=a_cost(1.25))
    text = shown(changed("Falcon", a_change(Verdict.SLOWER, a_cost(1.25)), together=together))
    assert "All cells together: 25.0 % more CPU time per request (24.1 to 25.9), seen twice: 20.0 % slower." in text


def test_together_without_a_difference_is_a_figure() -> None:
    text = shown(changed(together=Together(verdict=Verdict.SAME, cost=a_cost(0.998))))
    assert "All cells together: −0.2 % (−1.1 to +0.7) CPU time per request, no difference seen." in text


def test_what_was_not_confirmed_is_no_news() -> None:
    quiet, news = (
        changed("Quiet", a_change(Verdict.ONCE, a_cost(0.98), "why")),
        changed("News", a_change(Verdict.SLOWER, a_cost(1.05))),
    )
    text = shown(quiet, news.model_copy(update={"entry": "python/zoo"}))
    assert text.index("### News") < text.index("### Quiet")
    assert "| not confirmed: why |" in text


def test_a_base_that_cannot_be_measured_is_said_before_the_cells() -> None:
    why = "the base could not be measured: build: exit 1"
    entry = changed("Falcon", a_change(Verdict.UNKNOWN, why=why)).model_copy(update={"why": why})
    text = shown(entry)
    assert text.index(f"**Cannot tell**: {why}") < text.index("| hello |")


def test_a_head_that_cannot_be_measured_says_why() -> None:
    entry = EntryComparison(
        entry="python/x", title="X", base_version=None, version=None, status="failed", why="build: exit 1"
    )
    assert "**Not measured**: build: exit 1" in shown(entry)


def test_a_new_entry_is_told_by_the_baseline_and_its_language() -> None:
    cells = [
        NewCell(
            suite="hello", scenario="hello_world", variant=None, verdict=Verdict.NEW, throughput=9000,
            cost=a_cost(1.5), usual_cost=1.31, limit="app",
        ),
        NewCell(
            suite="solr", scenario="anonymization", variant="msgspec", verdict=Verdict.FAILED, why="answer: rubbish",
        ),
    ]  # fmt: skip
    entry = EntryComparison(
        entry="python/x", title="X", base_version=None, version="1.0", status="new", baseline="Falcon", new_cells=cells
    )
    text = shown(entry)
    assert "**New**: there is no base, so it is compared with Falcon, the baseline of its language." in text
    assert "1 of its 2 cells has no figure." in text
    assert "1.50\u00a0(1.49–\u20601.51) | 1.31 | 9,000" in text
    assert "failed: answer: rubbish" in text


def test_a_new_entry_without_a_relative_cost_says_why() -> None:
    cell = NewCell(
        suite="hello", scenario="hello_world", variant=None, verdict=Verdict.NEW, throughput=9000,
        usual_throughput=8000, no_cost="its language has no baseline",
    )  # fmt: skip
    entry = EntryComparison(
        entry="python/x", title="X", base_version=None, version="1.0", status="new", new_cells=[cell]
    )
    text = shown(entry)
    assert "Cells without a relative cost: 1, because its language has no baseline." in text
    assert "relative cost |" not in text
    assert "| 9,000 | 8,000 |" in text
    assert "there is no base, so it is compared with the other entries of its language." in text


def test_the_first_entry_of_a_language_is_compared_with_nothing_and_says_so() -> None:
    cell = NewCell(suite="hello", scenario="hello_world", variant=None, verdict=Verdict.NEW, throughput=9000)
    entry = EntryComparison(entry="ada/x", title="X", base_version=None, version="1.0", status="new", new_cells=[cell])
    assert "it is not compared, as no other entry of its language was measured on such a machine." in shown(entry)


def test_nothing_changed_is_said_so() -> None:
    assert comparison_markdown([]) == "No entry was changed, so nothing was measured.\n"
    assert shown() == comparison_markdown([])


def test_a_title_is_text_and_not_markup() -> None:
    text = shown(changed("<b>Falcon</b> | [x](http://evil)"))
    assert "<b>" not in text
    assert "[x](" not in text


def test_a_long_report_is_cut_where_a_comment_can_hold_it() -> None:
    many = [changed(f"Framework {i}").model_copy(update={"entry": f"python/x{i}"}) for i in range(300)]
    text = shown(*many)
    assert len(text) < LONGEST + 200
    assert text.count("<details>") == text.count("</details>")
    assert text.endswith("The rest was cut to fit into a comment. The artifacts of the run have all results.\n")


def test_a_comparison_comes_back_as_it_was(tmp_path: Path) -> None:
    comparison = a_comparison(changed())
    path = tmp_path / "comparison.json"
    path.write_text(comparison.model_dump_json())
    assert Comparison.model_validate_json(path.read_text()) == comparison


@pytest.mark.parametrize(("version", "said"), [(1, "schema 1,"), (4, "schema 4,"), ("x" * 999, "schema another,")])
def test_another_schema_is_refused_with_the_remedy(version: object, said: str) -> None:
    document = json.loads(a_comparison(changed()).model_dump_json()) | {"schema_version": version}
    with pytest.raises(ValidationError) as refused:
        Comparison.model_validate(document)
    (error,) = refused.value.errors()
    assert error["msg"].startswith(f"written by another restbench ({said} this one reads 3): ")
    assert "bring the main branch into the pull request" in error["msg"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"entries": [changed()] * 301},
        {"entries": [changed().model_copy(update={"cells": [a_change()] * 201})]},
        {"entries": [changed("x" * 200).model_copy(update={"why": "x" * 4001})]},
        {"profile": "x" * 201},
        {"minutes": -1},
    ],
)
def test_what_is_too_much_is_refused(wrong: dict[str, object]) -> None:
    given = a_comparison().model_copy(update=wrong)
    with pytest.raises(ValidationError):
        Comparison.model_validate_json(given.model_dump_json(warnings=False))


@pytest.mark.parametrize("number", [0, -1, float("inf"), float("nan")])
def test_a_ratio_is_positive_and_finite(number: float) -> None:
    with pytest.raises(ValidationError):
        a_cost().model_validate({"ratio": number, "low": 1, "high": 1, "starts": 1, "rounds": 1})
