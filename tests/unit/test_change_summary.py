"""What changed, as the job summary says it."""

import pytest

from restbench.catalog.load import titles_of
from restbench.changes.comparison import Cause, CauseKind, Verdict
from restbench.changes.records import CellCost
from restbench.changes.summary import causes_text, changes_markdown, newest_changes, speed_text
from restbench.render import markdown
from tests.made.changes import a_record
from tests.made.site import made_records
from tests.made.small import small_catalog
from tests.unit.conftest import Golden

TITLES = titles_of(small_catalog())

BUMP = Cause(kind=CauseKind.FRAMEWORK, name="falcon", before="4.3.0", after="4.4.0")
ADDED = Cause(kind=CauseKind.DEPENDENCY, name="msgspec", after="0.20.0")


def test_change_summary(golden: Golden) -> None:
    """What a job summary says, and then the newest changes of README, which leave out those without a difference."""
    refused = {"rust/axum": "its comparison left nothing"}
    text = changes_markdown(made_records(), refused, TITLES, ["triage.toml: no change record has the id 0123456789ab"])
    newest = newest_changes(made_records(), TITLES)
    assert newest
    golden(f"{text}\n{markdown.table(newest)}\n")


def test_a_change_without_a_difference_is_no_figure() -> None:
    assert speed_text(CellCost(Verdict.SAME, 1.004, 0.99, 1.02, 4, 48)) == "no difference seen"
    assert speed_text(None) == "no difference seen"


def test_many_causes_are_counted() -> None:
    assert causes_text([BUMP, *[ADDED] * 9]).endswith("dependency msgspec added, 7 more")
    assert causes_text([]) == "nothing that results record"


def test_without_changes_there_is_no_text() -> None:
    assert changes_markdown([], {}, TITLES) == ""


def test_texts_of_a_job_are_shown_as_texts() -> None:
    cause = Cause(kind=CauseKind.DEPENDENCY, name="`a` <b> |c| @d", before="1", after="[x](http://y)")
    text = changes_markdown([a_record(causes=[cause])], {"x": "<script>`"}, TITLES)
    for raw in ("<b>", "@d", "[x](http", "<script>", "|c|"):
        assert raw not in text


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
