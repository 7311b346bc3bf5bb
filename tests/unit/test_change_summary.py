"""What changed, as the job summary says it."""

import pytest

from restbench.catalog.titles import titles_of
from restbench.changes.records import CellCost
from restbench.changes.summary import causes_text, changes_markdown, newest_changes, told
from restbench.compare.models import Cause, CauseKind, Verdict
from tests.made.changes import a_record
from tests.made.small import small_catalog

TITLES = titles_of(small_catalog())

BUMP = Cause(kind=CauseKind.FRAMEWORK, name="falcon", before="4.3.0", after="4.4.0")
ADDED = Cause(kind=CauseKind.DEPENDENCY, name="msgspec", after="0.20.0")


def test_a_change_is_told_with_its_cause() -> None:
    record = a_record(ratio=1.062, number=1, causes=[BUMP, ADDED])
    text = changes_markdown([record], {}, TITLES)
    assert "### What changed" in text
    assert "| Falcon " in text
    assert "Plain text: 5.8 % slower" in text
    assert "5.8 % slower" in text
    assert "4.3.0 → 4.4.0" in text
    assert "framework falcon" not in text, "the version stands beside it"
    assert "dependency msgspec added" in text
    assert record.id in text


def test_a_change_without_a_difference_is_no_figure() -> None:
    assert told(CellCost(Verdict.SAME, 1.004, 0.99, 1.02, 4, 48)) == "no difference seen"
    assert told(CellCost(Verdict.FASTER, 0.9, 0.89, 0.912, 4, 48)) == "11.1 % faster (9.6 to 12.4)"
    assert told(None) == "no difference seen"


def test_many_causes_are_counted() -> None:
    assert causes_text([BUMP, *[ADDED] * 9]).endswith("dependency msgspec added, 7 more")
    assert causes_text([]) == "nothing that results record"


def test_what_was_not_compared_is_said_with_its_reason() -> None:
    text = changes_markdown([], {"rust/axum": "its comparison left nothing"}, TITLES, ["triage.toml: x"])
    assert "Not compared with what they were:" in text
    assert "- axum: its comparison left nothing" in text
    assert "triage.toml" in text


def test_without_changes_nothing_is_said() -> None:
    assert changes_markdown([], {}, TITLES) == ""


def test_texts_of_a_job_are_shown_as_texts() -> None:
    cause = Cause(kind=CauseKind.DEPENDENCY, name="`a` <b> |c| @d", before="1", after="[x](http://y)")
    text = changes_markdown([a_record(causes=[cause])], {"x": "<script>`"}, TITLES)
    for raw in ("<b>", "@d", "[x](http", "<script>", "|c|"):
        assert raw not in text


def test_the_newest_changes_are_told_with_titles() -> None:
    grid = newest_changes([a_record(number=1), a_record("python/removed", number=2)], TITLES)
    assert grid
    newest, oldest = ([cell.text for cell in line.cells] for line in grid.lines)
    assert "python/removed" in newest, "what the catalogue no longer has keeps its name"
    assert "Falcon" in oldest
    assert "Plain text: 5.7 % slower (4.7 to 6.6)" in oldest


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("python/falcon", "Falcon"),
        ("hello/hello_world", "Plain text"),
        ("issue-tracker/sprint/msgspec", "JSON list of 100 · msgspec"),
        ("gone/scenario/raw", "gone/scenario · raw"),
        ("python/gone", "python/gone"),
        ("all cells together", "all cells together"),
    ],
)
def test_frameworks_and_cells_are_called_by_their_titles(name: str, title: str) -> None:
    assert TITLES(name) == title
