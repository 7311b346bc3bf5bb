"""What a comparison found, as Markdown and as comparison.json."""

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from restbench.catalog.load import titles_of
from restbench.changes.comparison import (
    Cause,
    CauseKind,
    CellChange,
    Comparison,
    EntryComparison,
    Place,
    Together,
    Verdict,
)
from restbench.changes.comparison_summary import LONGEST, MOST_CAUSES, MOST_CHANGED, comparison_markdown
from tests.made.changes import (
    BUMP,
    CORE,
    ISSUE_TRACKER,
    OUTCOMES,
    SHA,
    a_change,
    a_comparison,
    a_cost,
    a_new_entry,
    cells_of_two_variants,
    changed,
    fastapi,
)
from tests.made.small import small_catalog
from tests.unit.conftest import Golden

TITLES = titles_of(small_catalog())


def shown(*entries: EntryComparison) -> str:
    return comparison_markdown([a_comparison(*entries)], TITLES)


def named(title: str, *cells: Any, together: Together | None = None, **changes: Any) -> EntryComparison:
    """A compared entry of that title."""
    update = {"entry": f"python/{title.casefold()}", **changes}
    return changed(title, *cells, together=together).model_copy(update=update)


def fresh(title: str, *cells: Any, **changes: Any) -> EntryComparison:
    """An entry that has no base."""
    fields = {"entry": f"python/{title.casefold()}", "title": title, "base_version": None, "status": "new"}
    return EntryComparison.model_validate({**fields, "version": "1.0", "cells": list(cells), **changes})


def test_comparison_summary(golden: Golden) -> None:
    """Of many entries, the title counts outcomes. The one that needs somebody most comes first, the rest is folded."""
    unknown = "the base could not be measured: build: exit 1"
    groups = [["Falcon"], ["Starlette", "New"], ["Flask"]]
    places = [
        Place(suite="hello", table="Hello world", name="New", groups=groups),
        Place(suite="hello", table="Wait", name="New", why="not compared, because the baseline has changed since"),
    ]
    causes = [
        Cause(kind=CauseKind.DEPENDENCY, name=f"package-{number}", after="1.0") for number in range(MOST_CAUSES + 2)
    ]
    golden(
        shown(
            named("Same", causes=causes[:2]),
            named("All-Same", together=Together(verdict=Verdict.SAME, cost=a_cost(0.998))),
            named("Once", a_change(Verdict.ONCE, a_cost(0.98), "the second series did not show it")),
            named(
                "Faster",
                a_change(Verdict.FASTER, a_cost(0.95)),
                together=Together(verdict=Verdict.FASTER, cost=a_cost(0.959)),
                causes=causes,
            ),
            named(
                "Slower",
                a_change(Verdict.SLOWER, a_cost(1.25)),
                a_change(Verdict.FAILED, why="answer: rubbish"),
                together=Together(verdict=Verdict.SLOWER, cost=a_cost(1.25)),
            ),
            named("Unknown", a_change(Verdict.UNKNOWN, why=unknown), why=unknown),
            fresh("Unbuilt", version=None, status="failed", why="build: exit 1"),
            fresh(
                "New",
                a_change(Verdict.NEW, a_cost(1.5)),
                a_change(Verdict.FAILED, why="answer: rubbish"),
                baseline="Falcon",
                places=places,
            ),
            fresh(
                "Unread",
                a_change(Verdict.NEW, a_cost(1.5)),
                baseline="Falcon",
                why="the manifest of its base cannot be read (a mistake)",
            ),
            fresh("New-First", a_change(Verdict.NEW, why="its language has no baseline"), entry="ada/new-first"),
        )
    )


def test_comparison_outcomes(golden: Golden) -> None:
    """The title is the verdict, in words and one figure."""
    golden("\n".join(shown(entry) for entry in OUTCOMES.values()))


def title(entry: EntryComparison) -> str:
    return shown(entry).splitlines()[0].replace("\u2060", "")


def slower_in(*names: str) -> list[CellChange]:
    """The cells of two variants, of which those with one of the names are slower."""
    return [
        cell.model_copy(update={"verdict": Verdict.SLOWER, "cost": a_cost(1.05)})
        if str(cell.key) in names or str(cell.key).rpartition("/")[0] in names
        else cell
        for cell in cells_of_two_variants()
    ]


@pytest.mark.parametrize(
    ("names", "causes", "common"),
    [
        ([f"issue-tracker/{each}/pydantic" for each in ISSUE_TRACKER], [], ": those of pydantic."),
        (
            [f"issue-tracker/{each}/pydantic" for each in ISSUE_TRACKER],
            [BUMP, CORE],
            ": those of pydantic (dependency pydantic-core 2.49.0 → 2.50.0).",
        ),
        ([f"issue-tracker/{each}" for each in ISSUE_TRACKER], [], ": those of Issue tracker."),
        (["issue-tracker/sprint/pydantic", "issue-tracker/userinfo/pydantic"], [CORE], " slower."),
        (["issue-tracker/sprint/pydantic"], [CORE], " slower."),
        ([*(f"issue-tracker/{each}" for each in ISSUE_TRACKER), "hello/hello_world"], [], " slower."),
    ],
)
def test_what_all_changed_cells_and_no_others_share_is_said(names: list[str], causes: list[Cause], common: str) -> None:
    text = shown(fastapi(*slower_in(*names), causes=causes))
    assert f"{common} What differs" in text.replace("\u2060", "")


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (fastapi(*cells_of_two_variants(sprint=1.05)), "FastAPI 0.165.0 → 0.166.0: 4.8 % slower in 1 of 9 scenarios"),
        (
            fastapi(*cells_of_two_variants(sprint=1.05), together=0.9),
            "FastAPI 0.165.0 → 0.166.0: 11.1 % faster (10.6 to 11.6), but 4.8 % slower in 1 of 9 scenarios",
        ),
        (fastapi(a_change(Verdict.UNKNOWN, why="the base is gone")), "FastAPI 0.165.0 → 0.166.0: cannot tell"),
        (fastapi(a_change(Verdict.FAILED, why="x")), "FastAPI 0.166.0 fails in 1 of 1 scenario"),
        (fastapi(status="failed", why="start: x"), "FastAPI 0.166.0 could not be measured"),
        (fastapi(*cells_of_two_variants(), base_version="0.166.0"), "FastAPI 0.166.0: no difference seen"),
        (a_new_entry(cells=[a_change(Verdict.NEW)], baseline=None), "New 3.2.0 is new: 1 scenario"),
    ],
)
def test_a_title_is_the_verdict(entry: EntryComparison, expected: str) -> None:
    assert title(entry).endswith(f" {expected}")


def test_a_head_that_was_never_measured_has_its_own_version_and_no_rounds() -> None:
    text = shown(OUTCOMES["does not build"])
    assert text.startswith("## 🔴 FastAPI 0.166.1 does not build\n")
    assert "0.165.0" not in text
    assert "rounds" not in text
    assert "make build FRAMEWORK=python/fastapi TARGET=docker" in text


def test_an_answer_of_an_app_stays_in_its_block_of_code() -> None:
    """It has a line of code's own end, and markup."""
    lines = shown(OUTCOMES["fails"]).splitlines()
    begin = next(i for i, line in enumerate(lines) if line.endswith("text") and line.startswith("```"))
    fence = lines[begin].removesuffix("text")
    end = lines.index(fence, begin)
    assert lines[begin + 1 : end] == [
        "check     answer",
        "request   GET /anonymization/pydantic?document_type=1",
        'expected  docs[0].author "***"',
        'got       "M. Muster" ``` @everyone </details>',
        "repeat    make verify FRAMEWORK=python/fastapi SUITES=solr TARGET=docker",
    ]


def test_sixty_changed_cells_are_summed_up_beyond_the_first() -> None:
    cells = [
        a_change(Verdict.SLOWER, a_cost(1 + number / 1000)).model_copy(update={"scenario": f"s{number}"})
        for number in range(20, 80)
    ]
    unfolded = shown(fastapi(*cells)).partition("<details>")[0]
    assert "60 of 60 scenarios are 2.0 to 7.3 % slower." in unfolded
    assert f"| {60 - MOST_CHANGED} more | 2.0 to 6.8 % slower |" in unfolded.replace("\u00a0", " ")


def test_a_new_entry_stands_between_its_neighbours() -> None:
    text = shown(OUTCOMES["new"])
    assert "- Plain text: Falcon › Starlette, **New**, BáiZé, 2 more › FastAPI › …\n" in text
    assert "pydantic takes 1.75 × the CPU time of raw, in the 1 scenario that has both." in text
    assert "It lacks: HTTP pipelining." in text


def test_nothing_changed_is_reported() -> None:
    assert comparison_markdown([], TITLES).startswith("## No entry was changed, so nothing was measured\n")
    assert shown() == comparison_markdown([], TITLES)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"base": SHA}, "Base and head are the same commit, 0123456789;"),
        ({}, "Base 9876543210, head 0123456789;"),
        ({"head_dirty": True}, "Base 9876543210, head 0123456789 with uncommitted changes;"),
        ({"base_dirty": True, "head_dirty": True}, "Base 9876543210 with uncommitted changes, head 0123456789 with"),
        ({"base": None}, "Base files that no commit has, head 0123456789;"),
        ({"base": None, "head": None}, "Base and head are files that no commit has;"),
    ],
)
def test_both_versions_are_called_what_they_are(changes: dict[str, Any], message: str) -> None:
    assert f"\n{message}" in comparison_markdown([a_comparison(changed()).model_copy(update=changes)], TITLES)


def test_a_title_is_text_and_not_markup() -> None:
    text = shown(changed("<b>Falcon</b> | [x](http://evil)"))
    assert "<b>" not in text
    assert "[x](" not in text


def test_a_long_report_is_cut_where_a_comment_can_hold_it() -> None:
    many = [changed(f"Framework {i}").model_copy(update={"entry": f"python/x{i}"}) for i in range(300)]
    text = shown(*many)
    assert len(text) < LONGEST + 200
    assert text.count("<details>") == text.count("</details>")
    assert text.count("The rest was cut to fit into a comment. The artifacts of the run have all results.\n") == 1
    assert text.rstrip().endswith("95 % intervals are in parentheses.\n\n</details>"), "what follows is kept"


def test_a_comparison_comes_back_as_it_was(tmp_path: Path) -> None:
    comparison = a_comparison(changed())
    path = tmp_path / "comparison.json"
    path.write_text(comparison.model_dump_json())
    assert Comparison.model_validate_json(path.read_text()) == comparison


@pytest.mark.parametrize(("version", "message"), [(1, "schema 1,"), (7, "schema 7,"), ("x" * 999, "schema another,")])
def test_another_schema_is_refused_with_the_remedy(version: object, message: str) -> None:
    document = json.loads(a_comparison(changed()).model_dump_json()) | {"schema_version": version}
    with pytest.raises(ValidationError) as refused:
        Comparison.model_validate(document)
    (error,) = refused.value.errors()
    assert error["msg"].startswith(f"written by another restbench ({message} this one reads 6): ")
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
