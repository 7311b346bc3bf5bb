"""What changed, as the job summary says it."""

from restbench.changes.records import CellCost
from restbench.changes.summary import causes_text, changes_markdown, told
from restbench.compare.models import Cause, CauseKind, Verdict
from tests.unit.change_records import a_record

BUMP = Cause(kind=CauseKind.FRAMEWORK, name="falcon", before="4.3.0", after="4.4.0")
ADDED = Cause(kind=CauseKind.DEPENDENCY, name="msgspec", after="0.20.0")


def test_a_change_is_told_with_its_cause() -> None:
    record = a_record(ratio=1.062, number=1, causes=[BUMP, ADDED])
    text = changes_markdown([record], {})
    assert "### What changed" in text
    assert "python/falcon" in text
    assert "5.8 % slower" in text
    assert "framework falcon 4.3.0 → 4.4.0, dependency msgspec added" in text
    assert record.id in text


def test_a_change_without_a_difference_is_no_figure() -> None:
    assert told(CellCost(Verdict.SAME, 1.004, 0.99, 1.02, 4, 48)) == "no difference seen"
    assert told(CellCost(Verdict.FASTER, 0.9, 0.89, 0.912, 4, 48)) == "11.1 % faster (9.6 to 12.4)"
    assert told(None) == "no difference seen"


def test_many_causes_are_counted() -> None:
    assert causes_text([BUMP, *[ADDED] * 9]).endswith("dependency msgspec added, 7 more")
    assert causes_text([]) == "nothing that results record"


def test_what_was_not_compared_is_said_with_its_reason() -> None:
    text = changes_markdown([], {"rust/axum": "its comparison left nothing"}, ["triage.toml: x"])
    assert "Not compared with what they were:" in text
    assert "- rust/axum: its comparison left nothing" in text
    assert "triage.toml" in text


def test_without_changes_nothing_is_said() -> None:
    assert changes_markdown([], {}) == ""


def test_texts_of_a_job_are_shown_as_texts() -> None:
    cause = Cause(kind=CauseKind.DEPENDENCY, name="`a` <b> |c| @d", before="1", after="[x](http://y)")
    text = changes_markdown([a_record(causes=[cause])], {"x": "<script>`"})
    for raw in ("<b>", "@d", "[x](http", "<script>", "|c|"):
        assert raw not in text
