"""What a comparison found, as Markdown and as comparison.json."""

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from restbench.changes.comparison import Cause, CauseKind, Comparison, EntryComparison, Place, Together, Verdict
from restbench.changes.comparison_summary import LONGEST, MOST_NAMED, comparison_markdown
from tests.made.changes import SHA, a_change, a_comparison, a_cost, changed
from tests.unit.conftest import Golden


def shown(*entries: EntryComparison) -> str:
    return comparison_markdown([a_comparison(*entries)])


def named(title: str, *cells: Any, together: Together | None = None, **changes: Any) -> EntryComparison:
    """A compared entry of that title."""
    update = {"entry": f"python/{title.casefold()}", **changes}
    return changed(title, *cells, together=together).model_copy(update=update)


def fresh(title: str, *cells: Any, **changes: Any) -> EntryComparison:
    """An entry that has no base."""
    fields = {"entry": f"python/{title.casefold()}", "title": title, "base_version": None, "status": "new"}
    return EntryComparison.model_validate({**fields, "version": "1.0", "cells": list(cells), **changes})


def test_comparison_summary(golden: Golden) -> None:
    """Entries with news come first. The cells of others are folded."""
    unknown = "the base could not be measured: build: exit 1"
    groups = [["Falcon"], ["Starlette", "New"], ["Flask"]]
    places = [
        Place(suite="hello", table="Hello world", name="New", groups=groups),
        Place(suite="hello", table="Wait", name="New", why="not compared, because the baseline has changed since"),
    ]
    causes = [
        Cause(kind=CauseKind.DEPENDENCY, name=f"package-{number}", after="1.0") for number in range(MOST_NAMED + 2)
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


def test_nothing_changed_is_reported() -> None:
    assert comparison_markdown([]) == "No entry was changed, so nothing was measured.\n"
    assert shown() == comparison_markdown([])


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
    assert f"\n{message}" in comparison_markdown([a_comparison(changed()).model_copy(update=changes)])


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


@pytest.mark.parametrize(("version", "message"), [(1, "schema 1,"), (6, "schema 6,"), ("x" * 999, "schema another,")])
def test_another_schema_is_refused_with_the_remedy(version: object, message: str) -> None:
    document = json.loads(a_comparison(changed()).model_dump_json()) | {"schema_version": version}
    with pytest.raises(ValidationError) as refused:
        Comparison.model_validate(document)
    (error,) = refused.value.errors()
    assert error["msg"].startswith(f"written by another restbench ({message} this one reads 5): ")
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
